'use client'

import { CopyButton } from '../../elements/copy-button'
import { Panel } from '../../elements/panel'
import { writeCurl } from './curl'
import classes from '../playground.module.css'
import type { PlaygroundCall } from './playground-call'
import { writeRequest } from './request-body'
import type { JsonObject } from '../form/field-shapes'

interface Props {
  call: Pick<PlaygroundCall, 'path' | 'files' | 'optionsKey'>
  origin: string
  options: JsonObject
  files: File[]
  outputName: string
}

/** The curl command for the current form. */
export function CurlPanel({ call, origin, options, files, outputName }: Props) {
  const names = files.map(({ name }) => name)
  const { text, needs } = writeCurl({
    url: `${origin}${call.path}`,
    parts: writeRequest(call, options, names.length > 0),
    fileNames: names,
    outputName,
  })
  return (
    <Panel id="curl" title="Same request with curl" aside={<CopyButton text={text} what="the curl command" />}>
      <pre
        className={classes.curl}
        role="region"
        aria-label="curl command"
        data-testid="curl"
        // A scrollable element must be reachable by keyboard (WCAG 2.2, 2.1.1).
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {text}
      </pre>
      {needs !== undefined && (
        <p>
          The command reads a text that is too long for the command line:{' '}
          <button type="button" className={classes.unfold} onClick={() => saveText(needs.name, needs.text)}>
            save {needs.name}
          </button>{' '}
          in the folder of your files.
        </p>
      )}
      <p className={classes.soft}>Set SHEAF_API_KEY to your key. Run the command in the folder of your files.</p>
    </Panel>
  )
}

function saveText(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // The browser may read the URL a moment later.
}
