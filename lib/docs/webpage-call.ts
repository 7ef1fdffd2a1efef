import { z } from 'zod'

/** Fields of the web page call; a file is described by the call itself. */
export const webpageFields = z.object({
  url: z.string().optional().describe('Public page to render: an absolute http or https address.'),
  html: z.string().optional().describe('The page itself, as text.'),
  pageSize: z.string().optional().describe('Paper size, such as `A4`.'),
  waitDelay: z.number().optional().describe('Seconds to wait before the page is printed, such as 2.'),
})

/** Calls of the documentation; the first one is what the samples send. */
export const webpageExamples: [{ title: string; options: z.input<typeof webpageFields> }, ...{ title: string; options: z.input<typeof webpageFields> }[]] = [
  { title: 'A public page', options: { url: 'https://example.com/', pageSize: 'A4', waitDelay: 2 } },
  { title: 'HTML of your own', options: { html: '<h1>Delivery note</h1><p>Two boxes.</p>' } },
]
