import { highlightSamples } from '../../lib/docs/highlight'
import codeClasses from '../_ui/elements/code-tabs.module.css'
import { CopyButton } from '../_ui/elements/copy-button'
import classes from './docs.module.css'

/** A block of code with a copy button. */
export function CodeBlock({ text, language, what }: { text: string; language: string; what: string }) {
  const [highlighted] = highlightSamples([{ id: language, text }])
  return (
    <div className={`${codeClasses.box} ${classes.code}`}>
      <pre
        role="group"
        aria-label={what}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide block must be scrollable by keyboard
        tabIndex={0}
        className={codeClasses.panel}
        // oxlint-disable-next-line react/no-danger -- made on the server by our highlighter, which escapes all text
        dangerouslySetInnerHTML={{ __html: highlighted?.html ?? '' }}
      />
      <CopyButton text={text} what={what} />
    </div>
  )
}
