import { WARNINGS, type ToolSection } from '../../../engines/types'
import { MAX_FILE_BYTES } from '../../../engines/webpage/request/page-source'
import { ERROR_STATUS } from '../../errors'
import { listResponseHeaders } from '../response-headers'
import { describeOtherResponse, type Endpoint, SHARED_ERRORS } from '../endpoints'
import { describeOptions } from '../describe'
import { ERROR_ENTRIES, RETRY_ADVICE } from '../errors'
import { describeEndpointLimits } from '../limits'
import { writeSamples, writeShortSample } from '../samples'
import { describeClientSamples } from './clients'
import { describeRequired } from './required'
import { WARNING_ADVICE } from '../warnings'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'
import { headerTable } from './reference'

const FORMATS: Record<Endpoint['accepts'], [one: string, many: string]> = {
  pdf: ['PDF', 'PDFs'],
  'encrypted-pdf': ['PDF', 'PDFs'],
  'pdf-or-xml': ['PDF or XML file', 'PDFs or XML files'],
  images: ['JPEG, PNG, WebP or TIFF image', 'JPEG, PNG, WebP or TIFF images'],
}

const COUNTS: Record<number, string> = { 1: 'One', 2: 'Two' }

function describeFiles({ files, fileCount: { least, most }, accepts }: Endpoint): string {
  const [one, many] = FORMATS[accepts]
  switch (files) {
    case 'one':
      return `One ${one} in \`file\`. An array \`files\` with one works too.`
    case 'many':
      return `${COUNTS[least] ?? least}${least === most ? '' : ' or more'} ${many} in \`files\`.`
    case 'html':
      return (
        'Optional: a `file` instead of `url` or `html`. It is an HTML, XHTML, SVG or text file, or a ZIP with an ' +
        `\`index.html\` and its resources. The maximum is ${MAX_FILE_BYTES / 2 ** 20} MB.`
      )
    case 'none':
      return 'Optional: a `logo`.'
  }
}

const RESPONSES: Record<string, string> = {
  'application/pdf': 'A PDF',
  'application/zip': 'A ZIP file',
  'application/json': 'A JSON report',
  'text/plain': 'A text file',
}

/** Returns the page of one operation. */
export function describeEndpointPage(endpoint: Endpoint, { origin, config }: PageContext): DocsPage {
  const { slug, title, summary, path, responses, otherResponses } = endpoint
  return {
    slug,
    title,
    lead: summary,
    blocks: [
      { kind: 'endpoint', path, tryAt: `/account/playground/${slug}` },
      { kind: 'code', language: 'sh', text: writeShortSample(endpoint, origin), what: `a request to ${title}` },
      prose(describeSampleFiles(endpoint)),
      {
        kind: 'facts',
        facts: [
          { name: 'Files', text: describeFiles(endpoint) },
          {
            name: 'Response',
            text: [
              `${RESPONSES[responses] ?? 'A file'} (\`${responses}\`).`,
              ...otherResponses.map(describeOtherResponse),
            ].join(' '),
          },
          { name: 'Price', text: '1 [credit](/docs/pricing). Failed requests are free.' },
          { name: 'Limits', text: `${describeEndpointLimits(endpoint, config).join(' ')} [All limits](/docs/limits)` },
        ],
      },
      { kind: 'column', at: 'start' },
      ...describeExamples(endpoint),
      { kind: 'column', at: 'end' },
      ...describeParameters(endpoint),
      { kind: 'column', at: 'after' },
      ...endpoint.sections.flatMap(describeSection),
      ...describeCode(endpoint, origin),
      ...describeResponse(endpoint),
      ...describeFailures(endpoint),
    ],
  }
}

function describeSampleFiles({ sampleFiles, responseName }: Endpoint): string {
  const files = sampleFiles.map(name => `[${name}](/samples/${name})`).join(' and ')
  return [
    ...(sampleFiles.length > 0 ? [`Download ${files} to run the request.`] : []),
    `The command saves the response as \`${responseName}\`. If the request fails, curl exits with an error, and the ` +
      'saved file contains the error in JSON.',
  ].join(' ')
}

function describeParameters({ schema, formSchema, optionsKey, files }: Endpoint): Block[] {
  const rows = describeOptions(schema)
  const hasSelectors = rows.some(({ description }) => description.includes('selector'))
  return [
    heading('Parameters'),
    ...(optionsKey === undefined ? [] : [prose('Send these parameters as a JSON object in `options`.')]),
    ...(files === 'html'
      ? [prose('Send exactly one of `url`, `html` and `file`. All other parameters are optional.')]
      : describeRequired(schema)),
    { kind: 'options', anchor: 'param', rows },
    ...(hasSelectors
      ? [prose('See [page selectors](/docs/api-basics#page-selectors) for all ways to select pages.')]
      : []),
    ...(formSchema
      ? [
          heading('Form fields', 3),
          prose(
            'With `multipart/form-data`, send these form fields instead. Send text, numbers, `true` and `false` as ' +
              'they are. Send lists and objects as JSON.',
          ),
          {
            kind: 'options' as const,
            anchor: 'form',
            rows: describeOptions(formSchema).filter(({ name }) => !/[.[]/.test(name)),
          },
        ]
      : []),
  ]
}

function describeCode(endpoint: Endpoint, origin: string): Block[] {
  const { title } = endpoint
  const { form, json } = writeSamples(endpoint, origin)
  return [
    heading('Code samples'),
    prose(
      'Each sample saves the file, or prints the error and saves nothing. The samples read the API key from the ' +
        'environment variable `SHEAF_API_KEY`. [Keep keys on your ' +
        'server](/docs/api-basics#keep-keys-on-your-server).',
    ),
    ...describeClientSamples(endpoint, origin),
    heading('multipart/form-data', 3),
    { kind: 'samples', label: `${title}, multipart/form-data`, samples: form },
    heading('JSON', 3),
    { kind: 'samples', label: `${title}, JSON`, samples: json },
  ]
}

function describeExamples({ examples, optionsKey }: Endpoint): Block[] {
  return [
    heading('Examples'),
    ...examples.flatMap(({ title, options }): Block[] => [
      heading(title, 3),
      {
        kind: 'code',
        language: 'json',
        text: JSON.stringify(optionsKey === undefined ? options : { [optionsKey]: options }, null, 2),
        what: `the JSON of “${title}”`,
      },
    ]),
  ]
}

function describeSection({ heading: title, paragraphs, example, table, after = [] }: ToolSection): Block[] {
  const rows = table?.rows.map(cells => ({ cells: [...cells] })) ?? []
  return [
    heading(title),
    ...paragraphs.map(prose),
    ...(example
      ? [{ kind: 'code' as const, language: 'json', text: JSON.stringify(example.json, null, 2), what: example.what }]
      : []),
    ...(table ? [{ kind: 'table' as const, columns: [...table.columns], rows }] : []),
    ...after.map(prose),
  ]
}

function describeResponse(endpoint: Endpoint): Block[] {
  const { responses, otherResponses, warnings } = endpoint
  return [
    heading('Response'),
    prose(`A successful request returns 200 and the file, \`${responses}\`.`),
    ...(otherResponses.length > 0 ? [list(...otherResponses.map(describeOtherResponse))] : []),
    ...describeOwnHeaders(endpoint),
    heading('Warnings', 3),
    prose('`X-Warnings` can contain these codes. The request still succeeded.'),
    {
      kind: 'table',
      columns: ['Code', 'Meaning', 'What to do'],
      rows: warnings.map(warning => ({
        cells: [`[\`${warning}\`](/docs/warnings#${warning})`, WARNINGS[warning], WARNING_ADVICE[warning]],
      })),
    },
  ]
}

/** Headers that only some endpoints send. All others are on their own page. */
function describeOwnHeaders(endpoint: Endpoint): Block[] {
  const own = listResponseHeaders(endpoint).filter(({ option, endpoints }) => (option ?? endpoints) !== undefined)
  return [
    prose(
      `The [headers of every response](/docs/headers) name the file, the cost and the warnings.${own.length > 0 ? ' This endpoint adds:' : ''}`,
    ),
    ...(own.length > 0 ? [headerTable(own)] : []),
  ]
}

function describeFailures({ errors }: Endpoint): Block[] {
  return [
    heading('Errors'),
    prose(
      'A failed request costs nothing. See [the body of an error](/docs/errors#error-body), and the [errors of every ' +
        'endpoint](/docs/errors).',
    ),
    {
      kind: 'table',
      columns: ['Status and code', 'Cause', 'What to do', 'Retry?'],
      rows: errors
        .filter(code => !SHARED_ERRORS.includes(code))
        .toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])
        .map(code => ({
          cells: [
            `${ERROR_STATUS[code]} [\`${code}\`](/docs/errors#${code})`,
            ERROR_ENTRIES[code].cause,
            ERROR_ENTRIES[code].fix,
            RETRY_ADVICE[ERROR_ENTRIES[code].retry],
          ],
        })),
    },
  ]
}
