import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawShowcase } from '../fixtures/draw-showcase'

it("shows the engine's current output on the start page", async () => {
  for (const [name, bytes] of await drawShowcase())
    expect(bytes.equals(readFileSync(join('public/showcase', name))), name).toBe(true)
})
