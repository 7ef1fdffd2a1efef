import { describe, expect, it } from 'vitest'
import { Draft } from '../fixtures/draft'
import { OTHER_READERS, readWithOthers } from '../support/redaction-judges/text-readers'
import { IS_COMPLETE } from '../support/scope'
import { tryTrap } from './try-trap'
import type { TrapGroup } from './trap'

/**
 * Adds a test for the first trap of each construction, and for each trap if tables run in full. The slow judges only try
 * the first construction of a group then, too.
 */
export function expectTraps(groups: readonly TrapGroup[]): void {
  for (const [program, isThere] of OTHER_READERS)
    it.skipIf(!isThere)(`${program} reads results too`, () => {
      expect(Object.keys(readWithOthers(new Draft().write()))).toContain(program)
    })
  for (const { name, constructions } of groups) {
    describe(name, () => {
      for (const [index, construction] of constructions.entries()) {
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
