import { describe, expect, it } from 'vitest'
import { Draft } from '../fixtures/draft'
import { OTHER_READERS, readWithOthers } from '../support/redaction-judges/text-readers'
import { IS_COMPLETE } from '../support/scope'
import { tryTrap } from './try-trap'
import type { TrapGroup } from './trap'

/**
 * Adds a test for each trap if tables run in full. Otherwise for the first trap of each construction that isn't slow, and
 * the slow judges only try the first construction of a group.
 */
export function expectTraps(groups: readonly TrapGroup[]): void {
  for (const [program, isThere] of OTHER_READERS)
    it.skipIf(!isThere)(`${program} reads results too`, () => {
      expect(Object.keys(readWithOthers(new Draft().write()))).toContain(program)
    })
  for (const { name, constructions } of groups) {
    describe(name, () => {
      const chosen = constructions.filter(({ isSlow = false }) => IS_COMPLETE || !isSlow)
      for (const [index, construction] of chosen.entries()) {
        const tried = IS_COMPLETE ? construction.variants : 1
        for (let variant = 0; variant < tried; variant++) {
          it(`${construction.name}, variant ${variant + 1} of ${construction.variants}`, async () => {
            const { problems } = await tryTrap(construction, variant, { isThorough: IS_COMPLETE || index === 0 })
            expect(problems, problems.join('\n')).toEqual([])
          })
        }
      }
    })
  }
}
