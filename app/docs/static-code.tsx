import { highlightSamples } from '../../lib/docs/highlight'
import type { Sample } from '../../lib/docs/samples'
import codeClasses from '../_ui/elements/code-tabs.module.css'
import { Button } from '../_ui/elements/button'
import copyClasses from '../_ui/elements/copy-button.module.css'

/** A block of code with a bar above it, so that the copy button covers no text. `PageBehavior` copies. */
export function StaticCode({ text, language, what }: { text: string; language: string; what: string }) {
  const [highlighted] = highlightSamples([{ id: language, text }])
  return (
    <div className={codeClasses.box} data-code>
      <div className={codeClasses.bar}>
        <span className={codeClasses.language}>{LANGUAGES[language] ?? language}</span>
        <CopySign what={what} />
      </div>
      <Panel label={what} html={highlighted?.html ?? ''} />
    </div>
  )
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  typescript: 'TypeScript',
  python: 'Python',
}

/** Samples in tabs. `PageBehavior` changes tabs and copies. */
export function StaticTabs({ samples, label }: { samples: Sample[]; label: string }) {
  const prefix = label.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return (
    <div className={codeClasses.box} data-code>
      <div className={codeClasses.bar}>
        <div role="tablist" aria-label={label} className={codeClasses.list}>
          {samples.map(({ id, name }, index) => (
            <button
              key={id}
              type="button"
              role="tab"
              className={codeClasses.tab}
              id={`tab-${prefix}-${id}`}
              aria-selected={index === 0}
              aria-controls={`panel-${prefix}-${id}`}
              tabIndex={index === 0 ? 0 : -1}
            >
              {name}
            </button>
          ))}
        </div>
        <CopySign what="the sample" />
      </div>
      {highlightSamples(samples).map(({ id, html }, index) => (
        <Panel
          key={id}
          id={`panel-${prefix}-${id}`}
          labelledBy={`tab-${prefix}-${id}`}
          sample={id}
          isHidden={index > 0}
          html={html}
        />
      ))}
    </div>
  )
}

interface PanelProps {
  html: string
  label?: string
  id?: string
  labelledBy?: string
  sample?: string
  isHidden?: boolean
}

function Panel({ html, label, id, labelledBy, sample, isHidden = false }: PanelProps) {
  return (
    <pre
      id={id}
      role={labelledBy === undefined ? 'group' : 'tabpanel'}
      aria-label={label}
      aria-labelledby={labelledBy}
      data-sample={sample}
      hidden={isHidden}
      tabIndex={0}
      className={codeClasses.panel}
      // oxlint-disable-next-line react/no-danger -- made on the server by our highlighter, which escapes all text
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

function CopySign({ what }: { what: string }) {
  return (
    <Button look="secondary" size="small" className={copyClasses.button} data-copy={what} aria-label={`Copy ${what}`}>
      <span>Copy</span>
    </Button>
  )
}
