import { describe, expect, it } from 'vitest'
import { runOn } from '../../support/run-on'
import { IS_COMPLETE } from '../../support/scope'
import { findTraces } from '../../support/traces'
import { listModelTraps, secretFor } from './model-traps'

/** One of this many traps is tried if tables don't run in full. */
const SAMPLE = 80

const PARTS = 8

describe('every key of PDF 2.0', () => {
  const traps = listModelTraps()

  it('is tried', () => {
    expect(traps.length).toBeGreaterThan(3500)
  })

  for (let part = 0; part < PARTS; part++)
    it(`doesn't keep a removed text, part ${part + 1} of ${PARTS}`, async () => {
      const own = traps.filter((_, index) => index % PARTS === part)
      const tried = IS_COMPLETE ? own : own.filter((_, index) => index % SAMPLE === part)
      const [leaks, unverified]: [string[], string[]] = [[], []]
      for (const trap of tried) {
        const secret = secretFor(trap)
        const file = trap.make(secret)
        expect(findTraces(file, [secret])).toEqual([secret])
        const { bytes, headers } = await runOn('pdf-redaction', file, { search: [{ text: secret }] })
        if (headers['X-Redaction-Verified'] !== 'true') unverified.push(trap.name)
        else if (findTraces(bytes, [secret]).length > 0) leaks.push(trap.name)
      }
      expect(leaks).toEqual([])
      // Attached files are not redacted.
      expect(unverified.filter(name => !name.includes('EmbeddedFileStream'))).toEqual([])
    })
})
