import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { REDACTION_TRAPS } from '../../lib/docs/redaction-traps'
import { TRAP_GROUPS } from './all-groups'
import { tryTrap } from './try-trap'
import type { Construction } from './trap'

/** The counts in the documentation. lib/docs/redaction-traps.ts defines their type. */
const PATH = 'lib/docs/redaction-traps.json'

it('writes how many redaction traps were tried, verified and leaked', async () => {
  const groups: (typeof REDACTION_TRAPS)['groups'] = []
  const unsound: string[] = []
  for (const { name, cause, constructions } of TRAP_GROUPS) {
    const counts = []
    for (const construction of constructions) counts.push(await countResults(construction, unsound))
    groups.push({ name, cause, constructions: counts })
  }
  expect(unsound).toEqual([])
  writeFileSync(PATH, `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), groups }, null, 2)}\n`)
})

async function countResults(
  construction: Construction,
  unsound: string[],
): Promise<{ name: string; tried: number; verified: number; leaked: number }> {
  let verified = 0
  let leaked = 0
  for (let variant = 0; variant < construction.variants; variant++) {
    const { isVerified, isLeak, problems } = await tryTrap(construction, variant)
    if (isVerified) verified++
    if (isLeak) leaked++
    unsound.push(
      ...problems.filter(line => line.startsWith('unsound')).map(line => `${construction.name}, ${variant}: ${line}`),
    )
  }
  return { name: construction.name, tried: construction.variants, verified, leaked }
}
