import { EXAMPLE_PAGE_COUNT, SELECTOR_FORMS } from '../../lib/docs/selectors'
import { Prose } from './prose'

/** The grammar of page selectors. */
export function SelectorsPage() {
  return (
    <>
      <h1>Page selectors</h1>
      <p className="docs-lead">Wherever a call takes pages, it takes an array of page numbers or one text that selects them. Pages count from 1.</p>
      <div className="scroll">
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Form</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {SELECTOR_FORMS.map(({ form, meaning, example, pages }) => (
              <tr key={form}>
                <th scope="row">
                  <code>{form}</code>
                </th>
                <td>
                  <Prose text={meaning} />
                  <span className="docs-note">
                    Of {EXAMPLE_PAGE_COUNT} pages, <code>{JSON.stringify(example)}</code> names {pages.join(', ')}.
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul>
        <li>Spaces are ignored, and capital letters mean the same as small ones.</li>
        <li>Where order and repeats have a meaning (reordering, extracting), they are kept; elsewhere a page counts once.</li>
        <li>A page that the document does not have is refused, never skipped; the message names the term and how many pages there are.</li>
        <li>Negative numbers and 0 are refused, for programs disagree on what they mean.</li>
        <li>A text may have 2,000 characters and name 20,000 pages.</li>
      </ul>
    </>
  )
}
