import * as z from 'zod'
import { EngineError } from '../errors'
import { alternatives } from '../options/alternatives'
import { inForm } from '../options/form-hints'
import { outputNameOption, passwordOption } from '../options/schemas'
import { requirePdf17, writePasswordBytes } from '../pdf/open'
import { dropPdfaClaim } from '../pdf/metadata'
import { defineTool } from './define'
import { blameIn } from '../options/checks'

const permissionsSchema = z
  .strictObject({
    print: z
      .enum(['high', 'low', 'none'])
      .default('high')
      .describe('Printing. `low` allows printing at low resolution only.')
      .meta(inForm({ choices: { high: 'Allowed', low: 'Low resolution only', none: 'Not allowed' } })),
    modify: z
      .boolean()
      .default(true)
      .describe('If `true`, readers allow changes to the content.')
      .meta(inForm({ label: 'Change the content' })),
    copy: z
      .boolean()
      .default(true)
      .describe('If `true`, readers allow copying text and images. Screen readers can always read the text.')
      .meta(inForm({ label: 'Copy text and images' })),
    annotate: z
      .boolean()
      .default(true)
      .describe('If `true`, readers allow comments. This includes filling in forms.')
      .meta(inForm({ label: 'Comment' })),
    fillForms: z
      .boolean()
      .default(true)
      .describe('If `true`, readers allow filling in forms and signing.')
      .meta(inForm({ label: 'Fill in forms' })),
    assemble: z
      .boolean()
      .default(true)
      .describe('If `true`, readers allow inserting, rotating and deleting pages, and changing bookmarks.')
      .meta(inForm({ label: 'Insert, rotate and delete pages' })),
  })
  .superRefine(({ modify, annotate, fillForms, assemble }, context) => {
    const blame = blameIn(context)
    if (annotate && !fillForms)
      blame('fillForms', 'must be true with annotate, which includes it. Set annotate to false too.')
    if (modify && !assemble) blame('assemble', 'must be true with modify, which includes it. Set modify to false too.')
  })

type PermissionOptions = z.output<typeof permissionsSchema>

const optionsSchema = z
  .strictObject({
    userPassword: passwordOption('Password to open the file.', 'Password to open').optional(),
    ownerPassword: passwordOption(
      'Password to change the permissions. Default: `userPassword`. Without `userPassword`, the file opens without a ' +
        'password.',
      'Password of the owner',
    ).optional(),
    permissions: permissionsSchema
      .optional()
      .describe(
        'What readers allow if the file was opened without `ownerPassword`. Requires `ownerPassword`. Default: everything.',
      )
      .meta(inForm({ label: 'Permissions' })),
    outputName: outputNameOption('report-protected.pdf'),
  })
  .superRefine(({ userPassword, ownerPassword, permissions }, context) => {
    const blame = blameIn(context)
    if (userPassword === undefined && ownerPassword === undefined)
      blame('userPassword', 'is required. Send userPassword, ownerPassword or both.')
    if (permissions === undefined || !isRestricted(permissions)) return
    if (ownerPassword === undefined) blame('ownerPassword', 'is required with permissions.')
    else if (ownerPassword === userPassword)
      blame('ownerPassword', 'must differ from userPassword. Otherwise the permissions have no effect.')
  })
  .meta(alternatives({ required: ['userPassword'] }, { required: ['ownerPassword'] }))

function isRestricted({ print, ...others }: PermissionOptions): boolean {
  return print !== 'high' || Object.values(others).includes(false)
}

export const protectPdf = defineTool({
  id: 'protect-pdf',
  title: 'Protect PDF',
  summary: 'Encrypts a PDF with AES-256. Sets the passwords and what readers allow.',
  files: 'one',
  suffix: 'protected',
  group: 'Secure',
  tagline: 'AES-256, passwords and permissions.',
  responses: 'application/pdf',
  isRandom: true,
  step: { result: () => 'encrypted-pdf', addsNothing: true },
  options: optionsSchema,
  sections: [
    {
      heading: 'Encryption',
      paragraphs: [
        'The file is encrypted with AES-256 (ISO 32000-2, security handler revision 6). Its text strings and streams ' +
          'are encrypted, including metadata and attachments. Adobe Acrobat X and later, browsers and current readers ' +
          'open such files.',
        'Salts and initialization vectors are random. Two responses to the same request therefore differ in their bytes.',
        'Programs can ignore permissions. If nobody may read the text, set `userPassword`.',
        'PDF/A forbids encryption. If the file claimed PDF/A, the claim is removed (warning `conformance-dropped`).',
      ],
    },
    {
      heading: 'Passwords',
      paragraphs: [
        'A password has 1 to 127 bytes in UTF-8. As ISO 32000-2 requires, Sheaf normalizes it (SASLprep, RFC 4013). For ' +
          'example, the ligature `ﬁ` becomes `fi`, and full-width digits become ASCII digits.',
        'Most programs do not normalize a password that somebody types. They open the file only with the normalized ' +
          'form. Passwords in ASCII are the same in both forms.',
        'Sheaf stores no passwords. They are in no log and no error message.',
      ],
    },
  ],
  examples: [
    { title: 'A password to open the file', options: { userPassword: 'correct horse battery staple' } },
    {
      title: 'Open without a password, and ask readers to prevent copying and changes',
      options: {
        ownerPassword: 'correct horse battery staple',
        permissions: { copy: false, modify: false, annotate: false, fillForms: false, assemble: false },
      },
    },
  ],
  run([input], { userPassword, ownerPassword, permissions }) {
    const { document } = input
    const user = userPassword === undefined ? undefined : writePasswordBytes(userPassword, 'options.userPassword')
    const owner = ownerPassword === undefined ? user : writePasswordBytes(ownerPassword, 'options.ownerPassword')
    if (!owner) throw new EngineError('internal', 'No password was given.') // The schema requires one.
    dropPdfaClaim(document)
    requirePdf17(document)
    return {
      kind: 'pdf',
      document,
      protection: {
        user: user ?? new Uint8Array(0),
        owner,
        permissions: permissions ?? permissionsSchema.parse({}),
      },
    }
  },
})
