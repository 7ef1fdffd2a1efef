import { describe, expect, it } from 'vitest'
import { batchesOf, tryBatch } from './byte-trap'
import type { ByteTrap, Way } from './byte-trap'
import { listFontTraps } from './font-traps'
import { listImageTraps } from './image-traps'
import { listOperatorTraps } from './operator-traps'

const TABLES: Readonly<Record<string, { way: Way; traps: ByteTrap[] }>> = {
  'every part of an image container': { way: 'area', traps: listImageTraps() },
  'every part of a font program': { way: 'area', traps: listFontTraps() },
  'every operand of an operator': { way: 'search', traps: listOperatorTraps() },
}

describe.each(Object.entries(TABLES))('%s', (_, { way, traps }) => {
  it('has a trap', () => {
    expect(new Set(traps.map(({ name }) => name)).size).toBe(traps.length)
    expect(traps.length).toBeGreaterThan(80)
  })

  it.each(batchesOf(traps).map(batch => [batch[0]?.name ?? '', batch] as const))(
    "doesn't keep a secret, from %s on",
    async (_name, batch) => {
      const { unsound, leaks, changed, isVerified } = await tryBatch(batch, way)
      expect(unsound).toEqual([])
      expect(leaks).toEqual([])
      expect(changed).toEqual([])
      expect(isVerified).toBe(true)
    },
  )
})
