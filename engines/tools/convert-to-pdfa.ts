import * as z from 'zod'
import { convertToPdfa as convert } from '../standards/archival/convert'
import type { ArchivalProfile } from '../standards/archival/convert'
import { PROFILES } from '../standards/conformance/examination/profiles'
import { inForm } from '../options/form-hints'
import { outputNameOption } from '../options/schemas'
import { defineTool } from './define'
import { staysConforming } from './promises'

const PROFILE_IDS = ['pdfa-2b', 'pdfa-2u', 'pdfa-3b', 'pdfa-3u', 'pdfa-1b'] as const satisfies ArchivalProfile[]

export const convertToPdfa = defineTool({
  id: 'convert-to-pdfa',
  title: 'Convert to PDF/A',
  summary:
    'Converts a PDF to PDF/A for archives. Sheaf validates the result before it sends the response. If a file cannot ' +
    'conform, the request returns an error with each broken rule.',
  files: 'one',
  suffix: 'pdfa',
  group: 'Archive',
  tagline: 'For archives, courts and auditors.',
  responses: 'application/pdf',
  warnings: ['active-content-removed', 'annotation-dropped', 'font-substituted', 'metadata-dropped'],
  step: { result: () => 'pdf', promises: ({ profile }) => [staysConforming([profile])] },
  options: z.strictObject({
    profile: z
      .enum(PROFILE_IDS)
      .default('pdfa-2b')
      .describe(
        'The part and level of PDF/A. `pdfa-2b` fits most archives. `u` adds that all text has Unicode, so that it can ' +
          'be searched and copied. `pdfa-3b` and `pdfa-3u` allow attached files of any type. `pdfa-1b` is the oldest ' +
          'part and allows no transparency.',
      )
      .meta(
        inForm({
          label: 'Standard',
          choices: Object.fromEntries(PROFILE_IDS.map(id => [id, PROFILES[id].title])),
        }),
      ),
    attachments: z
      .enum(['keep', 'remove'])
      .default('keep')
      .describe(
        '`keep` keeps attached files. With `pdfa-2b` and `pdfa-2u`, attached files must be PDF/A themselves. `pdfa-1b` ' +
          'allows none. `remove` removes all attached files.',
      )
      .meta(inForm({ label: 'Attached files', choices: { keep: 'Keep', remove: 'Remove' } })),
    outputName: outputNameOption('report-pdfa.pdf'),
  }),
  sections: [
    {
      heading: 'What changes',
      paragraphs: [
        'The pages keep their content. Sheaf adds the claim to the metadata. It removes what PDF/A forbids: scripts, ' +
          'forbidden actions, XFA, signatures, hidden annotations, and media. Warnings in `X-Warnings` tell what was ' +
          'removed. Form fields and annotations without an appearance get one.',
      ],
    },
    {
      heading: 'Colors',
      paragraphs: [
        'A file without an output intent gets one. It is sRGB if pages use RGB, CMYK if they only use CMYK, else gray. If ' +
          'pages use RGB and CMYK, CMYK becomes ICCBased. An output intent of the file stays if it is valid.',
        'Sheaf computes its CMYK profile from the colors of CGATS TR 001 (SWOP). Overprint mode 1 becomes 0 if pages use ' +
          'ICCBased CMYK with overprinting.',
      ],
    },
    {
      heading: 'Fonts',
      paragraphs: [
        'Sheaf embeds missing fonts if it has a font of the same widths. It has fonts with the widths of Helvetica, ' +
          'Arial, Times and Courier. A font with another name is replaced if its letters and digits have these widths.',
        'Sheaf repairs embedded fonts: encodings of symbolic TrueType fonts, widths that differ from the font program, and ' +
          'missing spaces. Names that are not UTF-8 become UTF-8. Text stays where it is.',
      ],
    },
    {
      heading: 'What is refused',
      paragraphs: [
        'If a rule would still be broken, the request returns `422 pdf_tool_processing_failed` and costs nothing. `problems` ' +
          'names each rule by clause and test number, as [Validate PDF/A and PDF/UA](/docs/validate-pdf) does.',
        'Sheaf refuses files with a missing font of other widths, and files with missing Chinese, Japanese or Korean ' +
          'fonts. It refuses unknown operators, and attached files that the profile does not allow. Set `attachments` to ' +
          '`remove`, or set `profile` to `pdfa-3b`.',
        'These profiles are available: PDF/A-1b, 2b, 2u, 3b and 3u. Level a, PDF/A-4 and PDF/UA are not available here.',
      ],
    },
  ],
  examples: [
    { title: 'Convert to PDF/A-2b, without attached files', options: { attachments: 'remove' } },
    { title: 'Convert to PDF/A-3b, which keeps attached files of any type', options: { profile: 'pdfa-3b' } },
  ],
  async run([input], { profile, attachments }, context) {
    const bytes = await convert(input.document, { profile, attachments })
    for (const warning of input.document.warnings) context.warn(warning)
    return {
      kind: 'file',
      bytes,
      contentType: 'application/pdf',
      extension: 'pdf',
      pageCount: input.document.pageCount,
    }
  },
})
