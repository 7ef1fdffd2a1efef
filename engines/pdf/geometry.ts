export { intersectBoxes, readBox, writeBox } from './geometry/box'
export type { Box } from './geometry/box'
export { frameMatrix, measureFrame, resolveBox, rotationOf, seenMatrix, toSeen, toUserSpace } from './geometry/frame'
export type { Frame, Origin } from './geometry/frame'
export {
  EVERYWHERE,
  boundsOf,
  boundsOfBox,
  contains,
  cornersOf,
  grow,
  mapCorners,
  meets,
  overlap,
} from './geometry/geometry'
export type { Bounds, Quad } from './geometry/geometry'
export { IDENTITY, chainMatrices, invertMatrix, mapBox, mapPoint, scaleOf } from './geometry/matrix'
export type { Matrix } from './geometry/matrix'
export { readBounds } from './geometry/read-numbers'
