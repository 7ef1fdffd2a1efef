import { expect, it } from 'vitest'
import { joinBoxes } from '../../../../../engines/features/redaction/search/line-boxes'

const frame = { rotation: 0, userUnit: 1, visible: { x: 0, y: 0, width: 600, height: 800 }, width: 600, height: 800 }

/** Boxes around characters of 10 × 10, each with its lower-left corner, on lines of a direction in degrees. */
function join(angleDeg: number, corners: readonly (readonly [x: number, y: number])[]) {
  const measured = {
    texts: corners.map(() => 'a'),
    geometryOf(index: number) {
      const [left, bottom] = corners[index] ?? expect.fail()
      const room = { left, bottom, right: left + 10, top: bottom + 10 }
      return { room, shape: room, angleDeg, origin: { x: left + (angleDeg === 90 ? 8 : 0), y: bottom + 1 }, size: 10 }
    },
  }
  return joinBoxes(frame, measured, [...corners.keys()])
}

it.each([
  [0, [100, 100], [140, 100], 1],
  [0, [100, 100], [141, 100], 2],
  [90, [100, 100], [100, 140], 1],
  [90, [100, 100], [100, 141], 2],
  [0, [100, 100], [110, 105], 1],
  [0, [100, 100], [110, 106], 2],
  [30, [100, 100], [110, 100], 2],
] as const)('on lines at %i°, characters at %j and %j have %i boxes', (angleDeg, first, second, count) => {
  expect(join(angleDeg, [first, second])).toHaveLength(count)
})
