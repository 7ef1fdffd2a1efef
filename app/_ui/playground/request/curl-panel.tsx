'use client'

import { CopyButton } from '../../elements/copy-button'
import { Panel } from '../../elements/panel'
import { type CurlCommand, writeCurl } from './curl'
import classes from '../playground.module.css'
import type { PlaygroundEndpoint } from './playground-endpoint'
import { writeRequest } from './request-body'
import type { JsonObject } from '../form/field-shapes'

/** A request with its options and files, and the file name for its response. */
interface CurlRequest {
  endpoint: Pick<PlaygroundEndpoint, 'path' | 'files' | 'optionsKey'>
  origin: string
  options: JsonObject
  files: File[]
  outputName: string
}

/** The curl command for the current form. */
export function CurlPanel(request: CurlRequest) {
  const command = writeRequestAsCurl(request)
  return (
    <Panel id="curl" title="Same request with curl" aside={<CopyButton text={command.text} what="the curl command" />}>
      <CurlText command={command} label="curl command" testId="curl" />
    </Panel>
  )
}

/** The curl command for the request that was sent, which the form may not show anymore, and a link to its details. */
export function SentRequest({ requestId, ...request }: CurlRequest & { requestId: string | undefined }) {
  const command = writeRequestAsCurl(request)
  return (
    <>
      <div className={classes.runLine}>
        <CopyButton text={command.text} what="the sent request" label="Copy as curl" />
        {requestId !== undefined && (
          // Another tab, because this one has the file and the options, and the server stores neither.
          <a href={`/account/calls?request=${requestId}`} target="_blank" rel="noreferrer">
            Request details <span className={classes.soft}>(new tab)</span>
          </a>
        )}
      </div>
      <details className={classes.headers}>
        <summary>Sent request</summary>
        <CurlText command={command} label="curl command of the sent request" testId="sent-curl" />
      </details>
    </>
  )
}

function writeRequestAsCurl({ endpoint, origin, options, files, outputName }: CurlRequest): CurlCommand {
  const fileNames = files.map(({ name }) => name)
  return writeCurl({
    url: `${origin}${endpoint.path}`,
    parts: writeRequest(endpoint, options, fileNames.length > 0),
    fileNames,
    outputName,
  })
}

function CurlText({
  command: { text, needs },
  label,
  testId,
}: {
  command: CurlCommand
  label: string
  testId: string
}) {
  return (
    <>
      <pre
        className={classes.curl}
        role="region"
        aria-label={label}
        data-testid={testId}
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
    </>
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
