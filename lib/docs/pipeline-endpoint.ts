import type * as z from 'zod'
import type { pipelineFields } from '../operations/step-schema'
import type { ToolSection } from '../../engines/types'

/** Examples of the documentation. The code samples send the first one. All of them get the same two files. */
export const pipelineExamples: { title: string; options: z.input<typeof pipelineFields> }[] = [
  {
    title: 'Merge two files, number the pages and make the result smaller',
    options: {
      steps: [
        { tool: 'merge-pdf' },
        { tool: 'page-numbers', options: { position: 'bottom-right' } },
        { tool: 'compress-pdf', options: { level: 'print' } },
      ],
    },
  },
  {
    title: 'A cover sheet from HTML before two files',
    options: {
      steps: [
        { webpage: { html: '<h1>Claim 2026-17</h1><p>Letter and terms</p>' }, as: 'cover' },
        { tool: 'merge-pdf', files: ['cover', 'letter.pdf', 'terms.pdf'] },
      ],
      outputName: 'claim.pdf',
    },
  },
  {
    title: 'Merge, redact a name, protect the result, and get a receipt',
    options: {
      steps: [
        { tool: 'merge-pdf' },
        { tool: 'pdf-redaction', options: { search: [{ text: 'R. Barley' }] } },
        { tool: 'protect-pdf', options: { userPassword: 'example-password' } },
      ],
      receipt: true,
    },
  },
]

/** What the page of the pipeline says besides its parameters. */
export const pipelineSections: readonly ToolSection[] = [
  {
    heading: 'What a step reads',
    paragraphs: [
      'A step without `files` reads the result before it. The first step reads all uploads. To read something else, ' +
        'name it in `files`. A name is the name of an upload, or one that an earlier step gave with `as`. Several ' +
        'steps can read the same file. The guide [Chain tools](/docs/chain-tools) has samples.',
      'A tool for one file can read the result of a tool that makes one. `split-pdf`, `pdf-to-images` and other tools ' +
        'with several files can be last, or before `merge-pdf` and `images-to-pdf`. An invoice as XML fits only ' +
        '`read-invoice`.',
      'A web page or an invoice reads no result of a step. To print an uploaded HTML file, name it in `files`.',
    ],
  },
  {
    heading: 'What is checked before the charge',
    paragraphs: [
      'Sheaf checks all steps before it runs the first one. The parameter of an error names the step, such as ' +
        '`steps[2].options.position`. Unknown names, and files and results that no step reads, are errors.',
      'Sheaf refuses orders that contradict themselves and names an order that works. After `protect-pdf`, only ' +
        '`unlock-pdf` can follow. After `remove-metadata`, `edit-metadata` can only set what `keep` lists.',
    ],
  },
  {
    heading: 'What holds for the final file',
    paragraphs: [
      'Some steps promise something: a redaction, a standard such as PDF/A, or a largest size. Sheaf checks each promise ' +
        'again on the final file. If it no longer holds, the response is `422` with the reason `promise_broken`. The ' +
        'message names the step that broke it, and the request is free.',
      '`X-Redaction-Verified` speaks about the final file. Sheaf searches it with all rules that have no `pages`. Areas ' +
        "can't be found again, because pages may have moved. So after a redaction with areas, the header is `false` if " +
        "later steps read other files or may add text. If the final file isn't a PDF, the header is missing.",
    ],
  },
  {
    heading: 'The same bytes as single requests',
    paragraphs: [
      'Each step gets the bytes that a request of its own would get. So the result is byte for byte the file that single ' +
        'requests give. Only `protect-pdf` differs, because encryption is random.',
    ],
  },
]
