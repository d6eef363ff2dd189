// judder.h -- everything: include this.
#ifndef JUDDER_H
#define JUDDER_H

#include "judder/backbone.h"
#include "judder/batch.h"
#include "judder/closure.h"
#include "judder/columns.h"
#include "judder/contact.h"
#include "judder/context.h"
#include "judder/converge.h"
#include "judder/drive.h"
#include "judder/expsum.h"
#include "judder/fit.h"
#include "judder/follow.h"
#include "judder/gradient.h"
#include "judder/kernel.h"
#include "judder/merge.h"
#include "judder/mesh.h"
#include "judder/model.h"
#include "judder/nsm.h"
#include "judder/orbit.h"
#include "judder/param.h"
#include "judder/picture.h"
#include "judder/problem.h"
#include "judder/result.h"
#include "judder/run.h"
#include "judder/status.h"
#include "judder/structure.h"
#include "judder/sweep.h"
#include "judder/version.h"

#endif
