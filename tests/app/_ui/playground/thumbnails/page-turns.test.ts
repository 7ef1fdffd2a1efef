import { describe, expect, it } from 'vitest'
import { readTurns, turnedScale, turnPages, writeTurns } from '../../../../../app/_ui/playground/thumbnails/page-turns'

const PORTRAIT = { width: 600, height: 800 }
const LANDSCAPE = { width: 800, height: 600 }
const DOCUMENT = { pages: [PORTRAIT, LANDSCAPE, PORTRAIT, PORTRAIT], pageCount: 4 }

const turned = (options: Parameters<typeof readTurns>[0]) => [...readTurns(options, DOCUMENT).angles]
const rotationOf = () => 90

describe('readTurns', () => {
  it('adds the angles of all entries', () => {
    expect(
      turned({
        rotations: [
          { pages: 'odd', angle: 90 },
          { pages: [1], angle: 180 },
        ],
      }),
    ).toEqual([
      [0, 270],
      [2, 90],
    ])
    expect(turned({ angle: 90, only: 'landscape' })).toEqual([[1, 90]])
    expect(turned({ bake: true, pages: '2' })).toEqual([])
  })

  it('replaces angles in mode absolute', () => {
    const rotations = [
      { pages: '1-2', angle: 90 },
      { pages: '2', angle: 0 },
    ]
    expect(turned({ mode: 'absolute', rotations })).toEqual([
      [0, 90],
      [1, 0],
    ])
  })

  it('says what is wrong', () => {
    expect(readTurns({ angle: 90, pages: '9' }, DOCUMENT).problem).toContain('outside')
    expect(readTurns({ angle: 45 }, DOCUMENT).problem).toContain('Angles')
  })
})

describe('writeTurns', () => {
  const turn = (options: Parameters<typeof readTurns>[0], indexes: number[], angle: number) =>
    writeTurns(options, turnPages(readTurns(options, DOCUMENT), { indexes, angle, rotationOf }), 4)

  it('writes one angle with its pages, or several', () => {
    expect(turn({}, [1], 90)).toEqual({ angle: 90, pages: '2' })
    expect(turn({}, [0, 1, 2, 3], 270)).toEqual({ angle: 270 })
    expect(turn({ angle: 90, pages: '2' }, [1, 2], 90)).toEqual({
      rotations: [
        { pages: '3', angle: 90 },
        { pages: '2', angle: 180 },
      ],
    })
    expect(turn({ angle: 270, pages: '2', outputName: 'a.pdf' }, [1], 90)).toEqual({ outputName: 'a.pdf' })
  })

  it('writes the pages that a filter left', () => {
    expect(turn({ angle: 90, only: 'portrait' }, [1], 180)).toEqual({
      rotations: [
        { pages: '1,3-4', angle: 90 },
        { pages: '2', angle: 180 },
      ],
    })
  })

  it('continues from the rotation of the page in mode absolute', () => {
    expect(turn({ mode: 'absolute', angle: 0, pages: '1' }, [3], 90)).toEqual({
      mode: 'absolute',
      rotations: [
        { pages: '1', angle: 0 },
        { pages: '4', angle: 180 },
      ],
    })
  })
})

it('scales a turned page into its frame', () => {
  expect(turnedScale({ width: 3, height: 4 }, 180, { width: 3, height: 4 })).toBe(1)
  expect(turnedScale({ width: 3, height: 4 }, 90, { width: 3, height: 4 })).toBe(0.75)
  expect(turnedScale({ width: 4, height: 3 }, 90, { width: 3, height: 4 })).toBeCloseTo(4 / 3)
})
