import { describe, expect, it } from 'vitest'
import { createRefusal } from '../../../lib/refusal'
import { createJsonReader } from '../../../lib/body/json-body'

const BLOCK_BYTES = 64 * 1024
const RULES = {
  fileFields: [],
  jsonFields: [],
  textFields: ['html'],
  listFields: [],
  longFields: ['html'],
  maxLongBytes: 2 ** 20,
  maxStructureBytes: 1024,
  maxFieldBytes: 2 ** 20,
}

async function read(written: string, chunkBytes: number): Promise<unknown> {
  const reader = createJsonReader(
    RULES,
    { maxFiles: 1, maxParts: 1, findUrlProblem: () => undefined },
    (message, param) => createRefusal('conversion_failed', [{ message, ...(param === undefined ? {} : { param }) }]),
  )
  const bytes = Buffer.from(`{"html":"${written}"}`)
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.write(bytes.subarray(at, at + chunkBytes))
  return (await reader.end()).fields['html']
}

describe('a long text', () => {
  const pieces = ['\\n', '\\u00e9', '\\ud83d\\ude00', '\\\\', '\\"', 'é', '😀', '\\\\u0041']
  it.each(pieces)('is whole if a block ends in or beside %s', async piece => {
    for (let before = BLOCK_BYTES - 14; before <= BLOCK_BYTES + 1; before++) {
      const written = `${'x'.repeat(before)}${piece}yz${piece}`
      const text = JSON.parse(`"${written}"`) as string
      for (const chunkBytes of [1000, BLOCK_BYTES, BLOCK_BYTES + 3])
        expect(await read(written, chunkBytes), `${before} bytes before`).toBe(text)
    }
  })

  it.each(['\\x', '\\u12g4', '\u0001'])('with %j is refused, also at the end of a block', async piece => {
    for (const before of [0, BLOCK_BYTES - 2, BLOCK_BYTES])
      await expect(read(`${'x'.repeat(before)}${piece}y`, 1000)).rejects.toThrow(/valid JSON/)
  })
})
