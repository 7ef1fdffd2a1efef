import * as z from 'zod'
import { EngineError } from '../errors'
import { outputNameOption, passwordOption } from '../options/schemas'
import { decryptFile, openDocument } from '../pdf/open'
import { defineTool } from './define'

export const unlockPdf = defineTool({
  id: 'unlock-pdf',
  title: 'Unlock PDF',
  summary: 'Removes the password and all restrictions of a PDF. Requires the user password or the owner password.',
  files: 'one',
  accepts: 'encrypted-pdf',
  suffix: 'unlocked',
  group: 'Secure',
  tagline: 'Remove passwords that you know.',
  responses: 'application/pdf',
  guardsPasswords: true,
  step: { result: () => 'pdf', addsNothing: true },
  options: z.strictObject({
    password: passwordOption(
      'User password or owner password. Omit it if the file opens without a password and is just restricted.',
      'Password',
    ).optional(),
    outputName: outputNameOption('report-unlocked.pdf'),
  }),
  sections: [
    {
      heading: 'Encryption',
      paragraphs: [
        'The endpoint decrypts RC4 with 40 to 128 bits, AES-128, and AES-256 (revisions 5 and 6). Files that are ' +
          'encrypted for certificates return an error.',
        'Bookmarks, links, tags, forms and attachments stay. Signatures become invalid.',
      ],
    },
    {
      heading: 'Wrong passwords',
      paragraphs: [
        'A wrong password returns `422 pdf_tool_processing_failed` and costs nothing. After 20 wrong passwords in 15 ' +
          'minutes, further requests of the account to this endpoint return `429 rate_limited`.',
        'Sheaf stores no passwords. They are in no log and no error message.',
      ],
    },
  ],
  examples: [{ title: 'Remove a password', options: { password: 'correct horse battery staple' } }],
  read([file], { password }, { limits }) {
    try {
      const decrypted = decryptFile(file.bytes, password, limits)
      if (!decrypted)
        throw new EngineError(
          'not_encrypted',
          "The PDF isn't encrypted, so there is nothing to remove. Use it as it is.",
        )
      const document = openDocument(decrypted.bytes, limits)
      if (decrypted.isRepaired) document.warnings.add('repaired')
      document.saving.packsObjects = decrypted.usesObjectStreams
      return { kind: 'pdf', document }
    } catch (error) {
      if (!(error instanceof EngineError) || error.reason === 'wrong_password') throw error
      throw new EngineError(error.reason, `file: ${error.message}`, { param: 'file', cause: error })
    }
  },
})
