import { findEndpoint, type Endpoint } from '../endpoints'

/** A chain of tools that the guide shows in every language. */
export interface ChainSample {
  title: string
  /** What the steps do, and why they are in this order. */
  text: string
  options: { steps: object[]; outputName: string }
  /** Names of the files that it sends. `/samples` has them. */
  files: readonly string[]
}

const FILES = ['letter.pdf', 'terms.pdf']

const COVER_LETTER: ChainSample = {
  title: 'A cover letter before attachments',
  text:
    'The first step prints a letter from HTML and names its result. The second step puts the letter before the ' +
    'attachments, because `files` has this order.',
  options: {
    steps: [
      {
        webpage: {
          html:
            '<p>Example Ltd, 1 Mill Lane, Leeds</p><h1>Claim 2026-17</h1>' +
            '<p>Dear Sir or Madam,</p><p>Please find attached our letter and our terms.</p>',
        },
        as: 'cover',
      },
      { tool: 'merge-pdf', files: ['cover', ...FILES], options: { bookmarks: 'per-file' } },
    ],
    outputName: 'claim.pdf',
  },
  files: FILES,
}

const COURT_BUNDLE: ChainSample = {
  title: 'A court bundle',
  text:
    'One bookmark for each document, page numbers through the whole bundle, and at most 5 MB. The size comes last, so ' +
    'that no later step adds to it.',
  options: {
    steps: [
      { tool: 'merge-pdf', options: { bookmarks: 'per-file' } },
      { tool: 'page-numbers', options: { format: 'Bundle page {page} of {total}', position: 'bottom-right' } },
      { tool: 'compress-pdf', options: { targetBytes: 5_000_000 } },
    ],
    outputName: 'bundle.pdf',
  },
  files: FILES,
}

const PAYSLIP: ChainSample = {
  title: 'A payslip with a password',
  text: 'The request has no file. The page is printed and encrypted, and no file without a password leaves the server.',
  options: {
    steps: [
      {
        webpage: {
          html:
            '<h1>Payslip, November 2026</h1><p>Ada Lovelace</p>' +
            '<table><tr><td>Salary</td><td>4,200.00</td></tr><tr><td>Tax</td><td>-840.00</td></tr></table>',
        },
      },
      { tool: 'protect-pdf', options: { userPassword: 'correct horse battery staple' } },
    ],
    outputName: 'payslip.pdf',
  },
  files: [],
}

/** The chains of the guide, in its order. */
export const CHAIN_SAMPLES: readonly ChainSample[] = [COVER_LETTER, COURT_BUNDLE, PAYSLIP]

/** Returns the endpoint of pipelines with the files and the options of a sample. */
export function endpointOf({ title, options, files }: ChainSample): Endpoint {
  const endpoint = findEndpoint('pipeline')
  if (!endpoint) throw new Error('The guide needs the pipeline')
  return {
    ...endpoint,
    examples: [{ title, options }],
    sampleFiles: files,
    responseName: options.outputName,
  }
}

/** The steps of the receipt in the guide. They read `letter.pdf`. */
export const RECEIPT_STEPS = [
  { tool: 'pdf-redaction', options: { search: [{ text: 'R. Barley' }] } },
  { tool: 'page-numbers', options: { position: 'bottom-right' } },
]

/** Steps of which the last one breaks a promise. They read `letter.pdf`. */
export const BROKEN_STEPS = [
  { tool: 'pdf-redaction', options: { search: [{ text: 'R. Barley' }] }, as: 'safe' },
  { tool: 'merge-pdf', files: ['safe', 'letter.pdf'] },
]
