import { describe, expect, it } from 'vitest'
import { addAttachments, addForm, addLabels, addLinks, addOutline, addSignature } from '../../fixtures/features'
import { Draft, numbered } from '../../fixtures/draft'
import { makeBook } from '../../fixtures/make-fixtures'
import { askProgram, hasProgram } from '../../support/other-programs'
import { withPdfjs } from '../../support/pdfjs-document'
import { readPdf } from '../../support/reader'
import { runOn } from '../../support/run-on'

const protect = async (file: Uint8Array, options: unknown) => (await runOn('protect-pdf', file, options)).bytes

/** What PDF.js sees with a password. */
const open = (file: Uint8Array, password?: string) =>
  withPdfjs(
    file,
    async document => ({
      pages: document.numPages,
      title: ((await document.getMetadata()).info as { Title?: string }).Title,
      permissions: await document.getPermissions(),
      text: (await (await document.getPage(1)).getTextContent()).items
        .map(item => ('str' in item ? item.str : ''))
        .join(),
    }),
    password,
  )

describe('protect-pdf', () => {
  const file = new Draft({ pages: 2 }).write('table')

  it.each(['table', 'streams', 'hybrid'] as const)('encrypts a file with %s layout', async layout => {
    const plain = new Draft({ pages: 2 }).write(layout)
    const result = await protect(plain, { userPassword: 'user', ownerPassword: 'owner' })
    expect(result.includes('PAGE 1 OF')).toBe(false)
    for (const password of layout === 'table' ? [undefined, 'wrong'] : [undefined])
      await expect(open(result, password)).rejects.toMatchObject({ name: 'PasswordException' })
    for (const password of layout === 'table' ? ['user', 'owner'] : ['user'])
      expect(await open(result, password)).toMatchObject({
        pages: 2,
        text: expect.stringMatching(/^PAGE 1 OF/) as string,
      })
  })

  it.skipIf(!hasProgram('qpdf'))('encrypts files in which qpdf finds no problem', async () => {
    for (const layout of ['table', 'streams', 'hybrid'] as const) {
      const result = await protect(new Draft({ pages: 2 }).write(layout), { userPassword: 'user' })
      const check = askProgram('qpdf', result, path => ['--check', '--password=user', path])
      expect(check).toMatch(/No syntax or stream encoding errors/)
    }
  })

  it('keeps everything that unlock-pdf then returns', async () => {
    const draft = makeBook()
    for (const add of [addOutline, addLinks, addLabels, addForm]) add(draft)
    addAttachments(draft, { 'notes.txt': 'Notes' })
    const plain = draft.write('streams')
    const locked = await protect(plain, { userPassword: 'a b' })
    const unlocked = (await runOn('unlock-pdf', locked, { password: 'a b' })).bytes
    expect(await readPdf(unlocked)).toEqual(await readPdf(plain))
  })

  it('sets the permissions of everyone who opens the file without the owner password', async () => {
    const result = await protect(file, {
      ownerPassword: 'owner',
      permissions: { print: 'low', modify: false, copy: false, annotate: false, fillForms: true, assemble: false },
    })
    // PDF.js lists the allowed flags: print (4), fill forms (256) and read with assistive technology (512).
    expect((await open(result)).permissions?.toSorted((a, b) => a - b)).toEqual([4, 256, 512])
    expect((await open(await protect(file, { userPassword: 'u' }), 'u')).permissions).toHaveLength(8)
  })

  it.each(['pässwörd', '日本語のパスワード', 'a'.repeat(127)])(
    'opens with the password %s in another program',
    async password => {
      expect((await open(await protect(file, { userPassword: password }), password)).pages).toBe(2)
    },
  )

  it('normalizes a password as the standard says', async () => {
    const result = await protect(file, { userPassword: 'ｆｕｌｌ ｗｉｄｔｈ' })
    expect((await open(result, 'full width')).pages).toBe(2)
    expect((await runOn('unlock-pdf', result, { password: 'ｆｕｌｌ ｗｉｄｔｈ' })).warnings).toEqual([])
  })

  it.each([
    ['no password', {}, 'options.userPassword'],
    ['permissions without an owner', { userPassword: 'u', permissions: { copy: false } }, 'options.ownerPassword'],
    [
      'permissions with equal passwords',
      { userPassword: 'u', ownerPassword: 'u', permissions: { copy: false } },
      'options.ownerPassword',
    ],
    [
      'comments without forms',
      { ownerPassword: 'o', permissions: { fillForms: false } },
      'options.permissions.fillForms',
    ],
  ])('refuses %s', async (_, options, param) => {
    await expect(protect(file, options)).rejects.toMatchObject({
      issues: [expect.objectContaining({ path: param.split('.').slice(1) }) as unknown],
    })
  })

  it.each([
    ['too long', 'ä'.repeat(64), /at most 127 bytes.*128 bytes/],
    ['of control characters', 'a\u0007', /control characters/],
    ['of invisible characters', '\u00AD\u200D', /visible/],
  ])('refuses a password %s without repeating the password', async (_, password, message) => {
    const error = await protect(file, { userPassword: password }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason: 'options_invalid', problems: [{ param: 'options.userPassword' }] })
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).not.toContain(password)
  })

  it.each(['', 'a'.repeat(128)])('says how long a password may be: %j', async userPassword => {
    await expect(protect(file, { userPassword })).rejects.toMatchObject({
      issues: [expect.objectContaining({ message: 'must have 1 to 127 characters.' }) as unknown],
    })
  })

  it('differs from run to run', async () => {
    const [one, other] = await Promise.all([protect(file, { userPassword: 'u' }), protect(file, { userPassword: 'u' })])
    expect(one.equals(other)).toBe(false)
  })

  it('does not encrypt the value of a signature, and warns that it is invalid', async () => {
    const draft = new Draft({ pages: 2 })
    addSignature(draft, 1)
    const { bytes, warnings } = await runOn('protect-pdf', draft.write('table'), { userPassword: 'u' })
    expect(warnings).toContain('signatures-invalidated')
    expect((await open(bytes, 'u')).pages).toBe(2)
  })

  it('names unlock-pdf if the file is encrypted already', async () => {
    const locked = await protect(numbered(), { userPassword: 'u' })
    await expect(protect(locked, { userPassword: 'u' })).rejects.toMatchObject({
      reason: 'encrypted',
      message: expect.stringContaining('unlock-pdf') as string,
    })
  })
})
