import { WARNINGS, type ToolSection } from '../../../engines/types'
import { ERROR_STATUS } from '../../errors'
import { listResponseHeaders } from '../response-headers'
import type { CallFiles, DocumentedCall } from '../documented-calls'
import { describeOptions, type OptionRow } from '../describe'
import { ERROR_ENTRIES, RETRY_ADVICE } from '../errors'
import { describeCallLimits } from '../limits'
import { writeSamples } from '../samples'
import { WARNING_ADVICE } from '../warnings'
import { heading, list, prose, type Block, type DocsPage, type PageContext } from './page'
import { headerTable } from './reference'

const FILES: Record<CallFiles, string> = {
  one: 'One PDF, as `file`; `files` with exactly one works too.',
  many: 'Two or more PDFs, as `files`, in the order sent.',
  html:
    'One of `url`, `html` and `file`. A `file` is a page (.html, .htm, .xhtml, .svg, .txt) or a ZIP with an ' +
    '`index.html` and what belongs to it, at most 25 MiB.',
  none: 'None; a form may have a `logo`.',
}

const SAMPLE_FILES: Record<CallFiles, string> = {
  one: 'They expect `report.pdf`, a document of five pages, beside them.',
  many: 'They expect [letter.pdf](/samples/letter.pdf) and [terms.pdf](/samples/terms.pdf) beside them.',
  html: 'They need no file.',
  none: 'They need no file.',
}

const RESPONSES: Record<string, string> = {
  'application/pdf': 'A PDF',
  'application/zip': 'A ZIP',
  'text/plain': 'A text',
}

/** Returns the page of one operation. */
export function describeCallPage(call: DocumentedCall, { origin, config }: PageContext): DocsPage {
  const { slug, title, summary, path, files, responses, otherResponses } = call
  return {
    slug,
    title,
    lead: summary,
    blocks: [
      { kind: 'endpoint', path, tryAt: `/account/playground/${slug}` },
      {
        kind: 'facts',
        facts: [
          { name: 'Files', text: FILES[files] },
          {
            name: 'Answer',
            text: [
              `${RESPONSES[responses] ?? 'A file'}, \`${responses}\``,
              ...otherResponses.map(({ contentType, when }) => `\`${contentType}\` ${when}`),
            ].join('; '),
          },
          { name: 'Price', text: '1 [credit](/docs/credits); none if it fails' },
          { name: 'Limits', text: `${describeCallLimits(call, config).join(' ')} [All limits](/docs/limits)` },
        ],
      },
      ...describeRequest(call, origin),
      ...describeFields(call),
      ...describeExamples(call),
      ...call.sections.flatMap(describeSection),
      ...describeResponse(call),
      ...describeFailures(call),
    ],
  }
}

function describeRequest(call: DocumentedCall, origin: string): Block[] {
  const { title, files, optionsKey } = call
  const { form, json } = writeSamples(call, origin)
  const asForm: Block[] = [
    heading('As a form', 3),
    prose(
      optionsKey === undefined
        ? 'The fields one by one: texts, numbers, true and false as they are, lists and objects as JSON.'
        : 'Bytes travel as they are: the better choice for large files.',
    ),
    { kind: 'samples', label: `${title}, as a form`, samples: form },
  ]
  const asJson: Block[] = [
    heading('As JSON', 3),
    prose(files === 'one' || files === 'many' ? 'Files in base64, a third larger.' : 'The fields as one object.'),
    { kind: 'samples', label: `${title}, as JSON`, samples: json },
  ]
  return [
    heading('Request'),
    prose(
      `Each of these saves the finished file, or shows the error and saves nothing. ${SAMPLE_FILES[files]} The key ` +
        `comes from the environment variable \`SHEAF_API_KEY\`; [keys belong on ` +
        'servers](/docs/authentication#keys-belong-on-servers).',
    ),
    ...(optionsKey === undefined ? [...asJson, ...asForm] : [...asForm, ...asJson]),
  ]
}

function describeFields({ schema, formSchema, optionsKey }: DocumentedCall): Block[] {
  const rows = describeOptions(schema)
  const hasSelectors = (list: OptionRow[]) => list.some(({ description }) => description.includes('selector'))
  return [
    heading(optionsKey === undefined ? 'Fields' : 'Options'),
    ...(optionsKey === undefined
      ? []
      : [
          prose(
            rows.some(({ isRequired, name }) => isRequired && !/[.[]/.test(name))
              ? 'Members of `options`.'
              : 'Members of `options`; none has to be given.',
          ),
        ]),
    { kind: 'options', rows },
    ...(hasSelectors(rows) ? [prose('All forms that pages can be named in: [page selectors](/docs/selectors).')] : []),
    ...(formSchema
      ? [
          heading('Fields of a form', 3),
          prose('Forms have no objects; they send these fields instead.'),
          { kind: 'options' as const, rows: describeOptions(formSchema).filter(({ name }) => !/[.[]/.test(name)) },
        ]
      : []),
  ]
}

function describeExamples({ examples, optionsKey }: DocumentedCall): Block[] {
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

function describeSection({ heading: title, paragraphs, table, after = [] }: ToolSection): Block[] {
  const rows = table?.rows.map(cells => ({ cells: [...cells] })) ?? []
  return [
    heading(title),
    ...paragraphs.map(prose),
    ...(table ? [{ kind: 'table' as const, columns: [...table.columns], rows }] : []),
    ...after.map(prose),
  ]
}

function describeResponse(call: DocumentedCall): Block[] {
  const { responses, otherResponses, responseName, warnings } = call
  return [
    heading('Answer'),
    prose(`200 with the finished file, \`${responses}\`. The samples save it as \`${responseName}\`.`),
    ...(otherResponses.length > 0
      ? [list(...otherResponses.map(({ contentType, when }) => `\`${contentType}\` ${when}.`))]
      : []),
    headerTable(listResponseHeaders(call).filter(({ on }) => on !== 'error')),
    heading('Warnings', 3),
    prose('What `X-Warnings` may hold. The call worked all the same.'),
    {
      kind: 'table',
      columns: ['Code', 'Meaning', 'What to do'],
      rows: warnings.map(warning => ({
        cells: [`[\`${warning}\`](/docs/warnings#${warning})`, WARNINGS[warning], WARNING_ADVICE[warning]],
      })),
    },
  ]
}

function describeFailures({ errors }: DocumentedCall): Block[] {
  return [
    heading('Errors'),
    prose('None of them costs a credit. What the body of an error holds: [errors](/docs/errors#error-body).'),
    {
      kind: 'table',
      columns: ['Status and code', 'Cause', 'What to do', 'Send it again?'],
      rows: errors
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
