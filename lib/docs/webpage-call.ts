import { z } from 'zod'
import { pageOptions } from '../../engines/webpage/request/options'
import { MAX_HTML_BYTES } from '../../engines/webpage/request/page-source'

/** Fields of the web page operation, except for its file. */
export const webpageFields = z.object({
  url: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'Public page to print: an absolute http or https address without name and password. One of `url`, `html` and ' +
        '`file` is needed.',
    ),
  html: z.string().max(MAX_HTML_BYTES).optional().describe('The page itself, as text of at most 10 MiB.'),
  baseUrl: z.string().max(2048).optional().describe('Address that relative addresses in `html` or `file` count from.'),
  ...pageOptions.shape,
})

/** Examples of the documentation. The code samples send the first one. */
export const webpageExamples: [
  { title: string; options: z.input<typeof webpageFields> },
  ...{ title: string; options: z.input<typeof webpageFields> }[],
] = [
  { title: 'A public page', options: { url: 'https://example.com/', pageSize: 'A4', waitDelay: 2 } },
  { title: 'HTML of your own', options: { html: '<h1>Delivery note</h1><p>Two boxes.</p>' } },
  {
    title: 'A page with numbers at its foot, once its charts are drawn',
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
