import { describe, expect, it } from 'vitest'
import { numbered } from '../../fixtures/draft'
import { makeEncrypted, type OldHandler } from '../../fixtures/encrypted'
import { readPdfjsTexts } from '../../support/pdfjs-texts'
import { withPdfjs } from '../../support/pdfjs-document'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'

const HANDLERS: OldHandler[] = ['rc4-40', 'rc4-128', 'aes-128', 'aes-256-r5']
const PASSWORDS = { user: 'user', owner: 'the owner' }

const unlock = async (file: Uint8Array, password?: string) =>
  (await runOn('unlock-pdf', file, password === undefined ? {} : { password })).bytes

describe.each(HANDLERS)('a file with %s', handler => {
  const locked = makeEncrypted(handler, PASSWORDS)

  it('is a file that PDF.js opens with its password', async () => {
    expect(await withPdfjs(locked, document => Promise.resolve(document.numPages), 'user')).toBe(1)
  })

  it.each(Object.values(PASSWORDS))('opens with the password "%s" and is not encrypted afterwards', async password => {
    const result = await unlock(locked, password)
    expect(result.includes('/Encrypt')).toBe(false)
    expect(await readPdfjsTexts(result)).toEqual(['Secret page'])
    expect((await readPdf(result)).title).toBe('Secret title')
  })

  it('opens without a password if the user password is empty', async () => {
    const restricted = makeEncrypted(handler, { user: '', owner: 'the owner' })
    expect(await readPdfjsTexts(await unlock(restricted))).toEqual(['Secret page'])
  })

  it('refuses a wrong password and a missing one', async () => {
    const refusal = { reason: 'wrong_password', problems: [{ param: 'options.password' }] }
    await expect(unlock(locked, 'wrong')).rejects.toMatchObject(refusal)
    await expect(unlock(locked)).rejects.toMatchObject(refusal)
    await expect(unlock(locked, 'secret guess')).rejects.not.toMatchObject({
      message: expect.stringContaining('secret guess') as string,
    })
  })

  it('is read even if its cross-reference table is damaged', async () => {
    const damaged = Buffer.from(locked.toString('latin1').replace(/startxref\n\d+/, 'startxref\n12'), 'latin1')
    const { bytes, warnings } = await runOn('unlock-pdf', damaged, { password: 'user' })
    expect(await readPdfjsTexts(bytes)).toEqual(['Secret page'])
    expect(warnings).toContain('repaired')
  })
})

it('refuses a file that is not encrypted', async () => {
  await expect(unlock(numbered())).rejects.toMatchObject({
    problems: [{ param: 'file', message: expect.stringContaining("isn't encrypted") as string }],
  })
})

it('refuses a file that is encrypted for certificates', async () => {
  const text = makeEncrypted('rc4-128', PASSWORDS).toString('latin1')
  const other = Buffer.from(text.replace('/Filter/Standard', '/Filter/Adobe.PubSec'), 'latin1')
  await expect(unlock(other, 'user')).rejects.toMatchObject({
    reason: 'encrypted',
    message: expect.stringContaining('certificates') as string,
  })
})

it.each(['/U<', '/O<', '/V 2', '/R 3', '/Filter/Standard'])('refuses a file whose %s is damaged', async part => {
  const text = makeEncrypted('rc4-128', PASSWORDS).toString('latin1')
  const damaged = Buffer.from(text.replace(part, part.replace(/.(?=<|$)/, 'Z')), 'latin1')
  await expect(unlock(damaged, 'user')).rejects.toMatchObject({ name: 'EngineError' })
})
