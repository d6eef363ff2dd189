// disc.geo -- an annular disc, radii 50 and 150 mm, 6 mm thick: 24 x 4 x 1 quadratic bricks.
Point(1) = {0.05, 0, 0};
a[] = Extrude {0.1, 0, 0} { Point{1}; Layers{4}; Recombine; };
line = a[1];
For i In {0 : 3}
    b[] = Extrude { {0, 0, 1}, {0, 0, 0}, Pi/2 } { Curve{line}; Layers{6}; Recombine; };
    line = b[0];
    c[] = Extrude {0, 0, 0.006} { Surface{b[1]}; Layers{1}; Recombine; };
    volume[i] = c[1];
EndFor
Coherence;
Physical Volume("DISC") = volume[];
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
