import { describe, expect, it } from 'vitest'
import { tryTrap } from './try-trap'
import type { TrapGroup } from './trap'

/** Adds a test for each trap of some groups. */
export function expectTraps(groups: readonly TrapGroup[]): void {
  for (const { name, constructions } of groups) {
    describe(name, () => {
      for (const construction of constructions) {
        for (let variant = 0; variant < construction.variants; variant++) {
          it(`${construction.name}, variant ${variant + 1} of ${construction.variants}`, async () => {
            const { problems } = await tryTrap(construction, variant)
            expect(problems, problems.join('\n')).toEqual([])
          })
        }
      }
    })
  }
}
