import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findUnknownFields } from '../../../lib/operations/unknown-fields'

const schema = z.object({
  name: z.string(),
  rows: z.array(z.object({ count: z.number() })).optional(),
  part: z.union([z.number(), z.object({ size: z.number() })]).optional(),
})

describe('unknown fields', () => {
  it('are found at any depth, each once', () => {
    expect(
      findUnknownFields(schema, {
        name: 'a',
        nmae: 'b',
        rows: [{ count: 1, extra: 1 }, { extra: 2 }, 7],
        part: { size: 1, weight: { deep: 1 } },
      }).toSorted(),
    ).toEqual(['nmae', 'part.weight', 'rows.extra'])
  })

  it('may have any name', () => {
    expect(findUnknownFields(schema, JSON.parse('{"__proto__": 1, "constructor": {}, "name": null}'))).toEqual([
      '__proto__',
      'constructor',
    ])
  })

  it("are absent in a value that isn't an object", () =>
    expect([null, 'text', [], 7].flatMap(value => findUnknownFields(schema, value))).toEqual([]))
})
