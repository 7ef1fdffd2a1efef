import * as z from 'zod'
import { EngineError } from '../errors'
import { claimsOf } from '../standards/conformance/xmp/claims'
import { PROFILES } from '../standards/conformance/examination/profiles'
import type { ProfileId } from '../standards/conformance/examination/profiles'
import { validate } from '../standards/conformance/validate'
import { outputNameOption } from '../options/schemas'
import { inForm } from '../options/form-hints'
import { defineTool, toJson } from './define'
import { VALIDATION_REPORTS } from './reports'

// The object literal has exactly these keys.
const PROFILE_IDS = Object.keys(PROFILES) as [ProfileId, ...ProfileId[]]

const CHOICES = {
  claimed: 'What the file claims',
  ...Object.fromEntries(PROFILE_IDS.map(id => [id, PROFILES[id].title])),
}

export const validatePdf = defineTool({
  id: 'validate-pdf',
  title: 'Validate PDF/A and PDF/UA',
  summary:
    'Checks a PDF against PDF/A or PDF/UA and returns a JSON report. The report names each broken rule by clause and ' +
    'test number, how often it is broken, and where.',
  files: 'one',
  suffix: 'report',
  group: 'Archive',
  tagline: 'A report with every broken rule.',
  responses: 'application/json',
  report: VALIDATION_REPORTS,
  step: { result: () => 'other' },
  options: z.strictObject({
    profile: z
      .enum(['claimed', ...PROFILE_IDS])
      .default('claimed')
      .describe(
        'The standard to check. `claimed`: what the metadata of the file claims. If the file claims PDF/A and PDF/UA, ' +
          'the response has one report for each.',
      )
      .meta(inForm({ choices: CHOICES, label: 'Standard' })),
    outputName: outputNameOption('report.json'),
  }),
  sections: [
    {
      heading: 'The report',
      paragraphs: [
        '`conforms` is `false` if Sheaf found a broken rule. It is `null` if no rule is broken but some rule could not ' +
          'be decided. It is `true` only if every rule that applies holds.',
        'Each entry of `failures` has `clause` and `test`, numbered as in the profiles of veraPDF. `message` says what ' +
          'the rule requires. `count` says how often the file breaks it, and `places` has the first ten places. A ' +
          'place has `page` (from 1), `object` (object and generation number) and `found`.',
        '`undecided` lists rules that apply but that Sheaf could not decide, for example because a font is damaged.',
        'If the file claims several standards, the response is `{"reports": […]}` with one report for each. If it ' +
          'claims none, the request returns `422 pdf_tool_processing_failed`. Name a `profile` then.',
      ],
    },
    {
      heading: 'Which standards',
      paragraphs: [
        'Sheaf checks PDF/A (ISO 19005) parts 1 to 3 at level b, and parts 2 and 3 at level u. It also checks PDF/UA-1 ' +
          '(ISO 14289-1). Level a adds rules on structure that Sheaf does not check. A file that claims level a is ' +
          'checked at the nearest level: `1b`, `2u` or `3u`. PDF/A-4 and PDF/UA-2 are not supported.',
        'PDF/UA has requirements that no software can decide, such as whether an alternative text describes its image. ' +
          'Sheaf checks the rules that software can decide.',
      ],
    },
    {
      heading: 'What validation does not decide',
      paragraphs: [
        'These rules are in `undecided` if they apply. Glyphs of fonts whose predefined CMap is neither Identity nor an ' +
          'Adobe character collection. Fonts that Sheaf cannot read. Attached PDF files inside attached PDF files. Any ' +
          'rule on content, if a content stream cannot be read or is too large.',
        'Encrypted files are refused before validation, because they can never be PDF/A.',
      ],
    },
    {
      heading: 'How it was tested',
      paragraphs: [
        'Sheaf was compared with 922 files of the public veraPDF test corpus for PDF/A-1b, 2b, 3b and PDF/UA-1. The ' +
          'corpus has four files for 3b and none for 2u and 3u. For these, only the tests of Sheaf check the rules that ' +
          'differ from 2b.',
        'Sheaf was also compared with veraPDF itself, on 1,560 files in one to three profiles each. Both decided 4,151 ' +
          'verdicts, and all of these were equal.',
        'The verdicts on all 922 files were equal. Single findings can differ. Sheaf measures strings in bytes, and ' +
          'checks every filter of a stream. A repaired file never gets `"conforms": true`, because the ' +
          'repaired copy is not the file.',
      ],
    },
  ],
  examples: [
    { title: 'Check PDF/A-2b', options: { profile: 'pdfa-2b' } },
    { title: 'Check PDF/UA-1', options: { profile: 'pdfua-1' } },
  ],
  run([input], { profile }) {
    const { document } = input
    const profiles = profile === 'claimed' ? claimsOf(document) : [profile]
    if (profiles.length === 0)
      throw new EngineError(
        'options_invalid',
        'The file claims neither PDF/A nor PDF/UA. Send options.profile to name the standard, such as pdfa-2b.',
        { param: 'options.profile' },
      )
    const reports = profiles.map(id => validate(document, document.source.bytes, id))
    const [only] = reports
    const result = reports.length === 1 ? only : { reports }
    return toJson(result)
  },
})
