import * as z from 'zod'
import { pageOptions } from '../../engines/webpage/request/options'
import { MAX_HTML_BYTES } from '../../engines/webpage/request/page-source'
import { inForm } from '../../engines/options/form-hints'

/** Fields of the web page operation, except for its file. */
export const webpageFields = z.object({
  url: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'Absolute `http` or `https` URL of a public page, without user name and password. Send exactly one of `url`, ' +
        '`html` and `file`.',
    )
    .meta(inForm({ appliesIf: [{ html: 'unset' }] })),
  html: z
    .string()
    .max(MAX_HTML_BYTES)
    .optional()
    .describe(`HTML of the page, up to ${MAX_HTML_BYTES / 2 ** 20} MB in UTF-8.`),
  baseUrl: z
    .string()
    .max(2048)
    .optional()
    .describe('Base URL for relative URLs in `html` or `file`. Not allowed with `url`.')
    .meta(inForm({ appliesIf: [{ url: 'unset' }] })),
  ...pageOptions.shape,
})

/** Examples of the documentation. The code samples send the first one. */
export const webpageExamples: [
  { title: string; options: z.input<typeof webpageFields> },
  ...{ title: string; options: z.input<typeof webpageFields> }[],
] = [
  { title: 'A public page', options: { url: 'https://example.com/', pageSize: 'A4', waitDelay: 2 } },
  { title: 'Your own HTML', options: { html: '<h1>Delivery note</h1><p>Two boxes.</p>' } },
  {
    title: 'Page numbers in the footer, after the charts are rendered',
    options: {
      url: 'https://example.com/report',
      landscape: true,
      margin: { top: '20mm', bottom: '20mm' },
      footerTemplate:
        '<div style="text-align:center"><span class="pageNumber"></span> / <span class="totalPages"></span></div>',
      waitForSelector: '#charts.ready',
    },
  },
]
