import * as z from 'zod'
import { inForm, onlyIf } from '../../options/form-hints'
import { outputNameOption, pagesOption } from '../../options/schemas'
import { blameIn } from '../../options/checks'

/** The options of a comparison. */
export const comparisonOptions = z
  .strictObject({
    format: z
      .enum(['pdf', 'json'])
      .default('pdf')
      .describe('`pdf` returns a PDF that shows the changes. `json` returns a list of the changes.')
      .meta(inForm({ label: 'Result', choices: { pdf: 'PDF', json: 'JSON' } })),
    layout: z
      .enum(['side-by-side', 'overlay', 'after'])
      .default('side-by-side')
      .describe(
        'With format `pdf`: how to show the changes. `side-by-side` shows both pages on one sheet, with marks. ' +
          '`overlay` shows both pages on top of each other. Content of the first file only is red, and content of the ' +
          'second file only is blue. `after` returns the second file with comments that readers list. The comments ' +
          'state the old text.',
      )
      .meta(
        inForm({
          choices: {
            'side-by-side': 'Side by side',
            overlay: 'On top of each other',
            after: 'The second file with comments',
          },
          appliesIf: [{ format: ['pdf'] }],
        }),
      ),
    show: z
      .enum(['all', 'changed'])
      .default('all')
      .describe(
        'With layouts `side-by-side` and `overlay`: the pages to show. `changed` leaves out pages without changes. If ' +
          'no page changed, the result has only the summary.',
      )
      .meta(
        inForm({
          label: 'Pages to show',
          choices: { all: 'All pages', changed: 'Pages with changes' },
          appliesIf: [{ format: ['pdf'], layout: ['side-by-side', 'overlay'] }],
        }),
      ),
    summary: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, the PDF begins with a summary: the number of changes, and a list of the pages that changed. With ' +
          'layout `after`, the result never has a summary.',
      )
      .meta(
        inForm({
          label: 'Begin with a summary',
          appliesIf: [{ format: ['pdf'], layout: ['side-by-side', 'overlay'] }],
        }),
      ),
    pages: z
      .array(z.union([pagesOption('Pages of the file to compare.'), z.null()]))
      .length(2)
      .optional()
      .describe(
        'Pages to compare: one selector for the first file, and one for the second. `null` takes all pages of a file. ' +
          'Default: all pages of both files.',
      )
      .meta(inForm({ label: 'Pages to compare, of each file' })),
    ignore: z
      .array(z.enum(['case', 'punctuation', 'whitespace', 'headers-footers']))
      .max(4)
      .default(['whitespace'])
      .describe(
        'Differences that are not changes. `case`: capital and small letters. `punctuation`: all punctuation marks. ' +
          '`whitespace`: spaces and line breaks between words. `headers-footers`: lines that most pages repeat near ' +
          'their upper or lower edge, regardless of numbers in them.',
      )
      .meta(
        inForm({
          label: 'Ignore',
          choices: {
            case: 'Capital and small letters',
            punctuation: 'Punctuation',
            whitespace: 'Spaces',
            'headers-footers': 'Headers and footers',
          },
        }),
      ),
    annotations: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, Sheaf also compares annotations and form fields as readers show them. Text in them counts as text ' +
          'of the page.',
      )
      .meta(inForm({ label: 'Compare annotations and form fields' })),
    pixels: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, Sheaf also compares how pages look: images, drawings, colors and positions. If `false`, it compares ' +
          'text and page sizes only.',
      )
      .meta(inForm({ label: 'Compare how pages look' })),
    sensitivity: z
      .enum(['low', 'medium', 'high'])
      .default('medium')
      .describe(
        'With `pixels`: the smallest visible difference that counts. `low` finds large or strong differences, at 60 DPI. ' +
          '`medium` finds what people see, at 90 DPI. `high` finds faint colors and fine lines, at 144 DPI.',
      )
      .meta(onlyIf({ pixels: [true] })),
    outputName: outputNameOption('report-comparison.pdf'),
  })
  .superRefine(({ format, layout, show, summary, pixels, sensitivity }, context) => {
    const blame = blameIn(context)
    if (format === 'json' && layout !== 'side-by-side')
      blame('layout', 'only applies to format "pdf". The format is "json".')
    if (show !== 'all' && (format === 'json' || layout === 'after'))
      blame('show', 'only applies to layouts "side-by-side" and "overlay". Remove it.')
    if (!summary && (format === 'json' || layout === 'after'))
      blame('summary', 'only applies to layouts "side-by-side" and "overlay". Remove it.')
    if (!summary && show === 'changed')
      blame('summary', 'must be true if show is "changed". Otherwise a result without changes would have no page.')
    if (!pixels && sensitivity !== 'medium') blame('sensitivity', 'only applies if pixels is true. Set pixels to true.')
  })
