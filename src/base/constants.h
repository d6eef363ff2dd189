// constants.h -- numbers of mathematics, once.
#ifndef JD_BASE_CONSTANTS_H
#define JD_BASE_CONSTANTS_H

#define JD_PI 3.14159265358979323846 // the double nearest to pi
#define JD_TWO_PI (2 * JD_PI)        // that nearest to 2 pi

#endif
