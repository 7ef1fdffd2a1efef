import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/config'
import { createClock } from '../../lib/credits/ledger'

describe('the clock for monthly grants', () => {
  it("is the machine's unless a test moves it", () => {
    expect(readConfig({}).CLOCK_OFFSET_MS).toBe(0)
    expect(readConfig({ TEST_MODE: '1', CLOCK_OFFSET_MS: '-3600000' }).CLOCK_OFFSET_MS).toBe(-3_600_000)
    const lead = createClock(86_400_000)().getTime() - Date.now()
    expect(Math.round(lead / 1000)).toBe(86_400)
  })

  it("can't be moved outside tests, and the error names the value and the fix", () => {
    expect(() => readConfig({ CLOCK_OFFSET_MS: '5000' })).toThrow(
      /CLOCK_OFFSET_MS: only allowed .*TEST_MODE=1\. Got 5000\./,
    )
    expect(() => readConfig({ CLOCK_OFFSET_MS: '5000', TEST_MODE: 'yes' })).toThrow(/TEST_MODE/)
    expect(() => readConfig({ CLOCK_OFFSET_MS: 'noon', TEST_MODE: '1' })).toThrow(/CLOCK_OFFSET_MS/)
  })
})

it('refuses an output limit that no account could ever use, and names the largest', () => {
  const small = { OUTPUT_SPOOL_BYTES: String(100 * 2 ** 20) }
  expect(() => readConfig(small)).toThrow(
    'MAX_OUTPUT_BYTES: must be at most ACCOUNT_SHARE × OUTPUT_SPOOL_BYTES, which is 52428800. Got 536870912. Raise ' +
      'OUTPUT_SPOOL_BYTES, or lower MAX_OUTPUT_BYTES.',
  )
  const { limits } = readConfig({ ...small, MAX_OUTPUT_BYTES: String(50 * 2 ** 20) })
  expect(limits.maxOutputBytes).toBe(50 * 2 ** 20)
})

it('accepts a folder of models, and names the problem of an invalid one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-models-'))
  try {
    expect(() => readConfig({ OCR_LANGUAGES_DIR: folder })).toThrow(`OCR_LANGUAGES_DIR: ${folder} has no model`)
    writeFileSync(join(folder, 'rus.traineddata'), 'model')
    expect(readConfig({ OCR_LANGUAGES_DIR: folder }).limits.ocrLanguagesFolder).toBe(folder)
    expect(() => readConfig({ OCR_LANGUAGES_DIR: join(folder, 'rus.traineddata') })).toThrow("isn't a readable folder")
    expect(readConfig({}).limits).not.toHaveProperty('ocrLanguagesFolder')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('accepts web pages as terms and privacy policy, and refuses other URLs', () => {
  const pages = { TERMS_URL: 'https://example.com/terms', PRIVACY_URL: 'http://localhost:8080/privacy' }
  expect(readConfig(pages)).toMatchObject(pages)
  for (const wrong of ['/terms', 'example.com', 'javascript:alert(1)', 'ftp://example.com/terms'])
    for (const name of Object.keys(pages)) expect(() => readConfig({ [name]: wrong })).toThrow(name)
})

it('keeps the ledger forever, or long enough for repeated payments to be recognized', () => {
  expect(readConfig({}).LEDGER_DAYS).toBeUndefined()
  expect(readConfig({ LEDGER_DAYS: '4018' }).LEDGER_DAYS).toBe(4018)
  for (const wrong of ['399', '0', '1.5', 'for ever'])
    expect(() => readConfig({ LEDGER_DAYS: wrong })).toThrow(/LEDGER_DAYS/)
})

it('refuses to sell without the settings for events and invoices, and names all missing settings', () => {
  const all = {
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    SELLER_NAME: 'Sheaf Paper Ltd',
    SELLER_ADDRESS: '1 Mill Lane',
  }
  expect(readConfig(all)).toMatchObject(all)
  expect(() => readConfig({ ...all, STRIPE_WEBHOOK_SECRET: '' })).toThrow(
    'STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY. Set it, or remove STRIPE_SECRET_KEY',
  )
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow(
    'STRIPE_WEBHOOK_SECRET, SELLER_NAME, SELLER_ADDRESS: required',
  )
})
