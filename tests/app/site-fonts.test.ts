import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = 'app/_ui/frame/fonts'

it('uses the fonts that `node tests/fixtures/make-site-fonts.mjs` makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-fonts-'))
  try {
    execFileSync(process.execPath, ['tests/fixtures/make-site-fonts.mjs', folder])
    expect(readdirSync(folder)).toEqual(readdirSync(FOLDER))
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).equals(readFileSync(join(FOLDER, name))), name).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('has no weight that the fonts do not have', () => {
  const styles = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.css'))
  const weights = styles.flatMap(path =>
    [...readFileSync(join('app', path), 'utf8').matchAll(/font(?:-weight)?: (\d{3})\b/g)].map(match =>
      Number(match[1]),
    ),
  )
  expect(weights.length).toBeGreaterThan(20)
  expect(weights.filter(weight => weight < 400 || weight > 720)).toEqual([])
})
