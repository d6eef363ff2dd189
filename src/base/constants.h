// constants.h -- numbers of mathematics, once.
#ifndef JD_BASE_CONSTANTS_H
#define JD_BASE_CONSTANTS_H

#define JD_PI 3.14159265358979323846 // the double nearest to pi

#endif
