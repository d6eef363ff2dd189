// plate.geo -- a plate of 120 x 30 x 4 mm that begins at (x0, 0, z0): 12 x 3 x 1 quadratic bricks.
DefineConstant[ x0 = 0, z0 = 0 ];
Point(1) = {x0, 0, z0};
a[] = Extrude {0.12, 0, 0} { Point{1}; Layers{12}; Recombine; };
b[] = Extrude {0, 0.03, 0} { Curve{a[1]}; Layers{3}; Recombine; };
c[] = Extrude {0, 0, 0.004} { Surface{b[1]}; Layers{1}; Recombine; };
Physical Volume("PLATE") = {c[1]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
