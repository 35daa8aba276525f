#!/usr/bin/env python3
"""Makes a mesh for fem.upc: tetrahedra of a valley, whose soft sediment needs smaller elements than the rock around it.

    python3 mesh.py SIZE FILE       e.g. python3 mesh.py 0.1 valley.mesh, which is the file beside this script

SIZE is the length of an edge in the middle of the sediment; half of it makes about eight times the nodes. Gmsh
generates the mesh (https://gmsh.info; Debian: python3-gmsh, or pip install gmsh). METIS partitions its nodes by
recursive bisection (Debian: libmetis5): parts 0 to P/2 - 1 are one side of the first cut, and so on. So each thread of
fem.upc gets parts with consecutive numbers, whatever the number of threads.

The file is text: comments; the numbers of nodes, elements and parts; a line for each node with its coordinates and its
part; a line for each element with its four nodes, counted from 0. Nodes are in Gmsh's order: those on edges and
surfaces of the volume come first.
"""

import ctypes
import itertools
import sys

import gmsh

PARTS = 64
BOX = (8.0, 6.0, 2.0)  # the surface is at z = 2
# The sediment: half of an ellipsoid under the surface, with its centre and its radii. fem.h has it, too.
SEDIMENT = ((4.0, 3.0, 2.0), (2.5, 1.5, 0.7))


def tetrahedra(size):
    """The coordinates of the nodes, and the elements, as tuples."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    for option in "FromPoints", "FromCurvature", "ExtendFromBoundary":
        gmsh.option.setNumber("Mesh.MeshSize" + option, 0)
    gmsh.model.occ.addBox(0, 0, 0, *BOX)
    gmsh.model.occ.synchronize()
    (x, y, z), (a, b, c) = SEDIMENT
    gmsh.model.mesh.field.add("MathEval", 1)
    distance = f"Sqrt(((x-{x})/{a})^2+((y-{y})/{b})^2+((z-{z})/{c})^2)"
    gmsh.model.mesh.field.setString(1, "F", f"{size}*(1+1.5*{distance})")
    gmsh.model.mesh.field.setAsBackgroundMesh(1)
    gmsh.model.mesh.generate(3)
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    number = {tag: n for n, tag in enumerate(tags)}
    nodes = [tuple(coordinates[3 * n : 3 * n + 3]) for n in range(len(tags))]
    _, corners = gmsh.model.mesh.getElementsByType(gmsh.model.mesh.getElementType("tetrahedron", 1))
    corners = [number[tag] for tag in corners]
    gmsh.finalize()
    return nodes, [tuple(corners[k : k + 4]) for k in range(0, len(corners), 4)]


def partition(count, elements):
    """The part of each node: two nodes of an element are neighbours in METIS's graph."""
    neighbours = [set() for _ in range(count)]
    for a, b in itertools.chain.from_iterable(itertools.permutations(e, 2) for e in elements):
        neighbours[a].add(b)
    starts = [0, *itertools.accumulate(len(n) for n in neighbours)]
    graph = [b for n in neighbours for b in sorted(n)]
    metis = ctypes.CDLL("libmetis.so.5")
    number = ctypes.c_int32
    part = (number * count)()
    edges_cut = number()
    status = metis.METIS_PartGraphRecursive(
        ctypes.byref(number(count)), ctypes.byref(number(1)), (number * len(starts))(*starts),
        (number * len(graph))(*graph), None, None, None, ctypes.byref(number(PARTS)), None, None, None,
        ctypes.byref(edges_cut), part,
    )  # fmt: skip
    if status != 1:
        sys.exit(f"mesh.py: METIS failed with status {status}")
    return list(part)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    size, path = float(sys.argv[1]), sys.argv[2]
    nodes, elements = tetrahedra(size)
    parts = partition(len(nodes), elements)
    with open(path, "w", encoding="ascii") as file:
        file.write("# A valley in tetrahedra; fem.upc reads it. Gmsh made it and METIS divided it into parts:\n")
        file.write(f"#     python3 mesh.py {sys.argv[1]} {path.rpartition('/')[2]}\n")
        file.write(f"{len(nodes)} nodes {len(elements)} elements {PARTS} parts\n")
        for (x, y, z), part in zip(nodes, parts):
            file.write(f"{x:.4g} {y:.4g} {z:.4g} {part}\n")
        for element in elements:
            file.write("%d %d %d %d\n" % element)


main()
