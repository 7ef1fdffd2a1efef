'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { Panel } from '../../elements/panel'
import { chooseAccepted, findRefusal } from './file-limits'
import { FileRows } from './file-rows'
import { loadSample } from './load-sample'
import classes from '../playground.module.css'
import type { PlaygroundEndpoint, PlaygroundTerms } from '../request/playground-endpoint'
import { Button } from '../../elements/button'

interface Props {
  endpoint: PlaygroundEndpoint
  terms: PlaygroundTerms
  files: File[]
  /** Names of the files before the page was loaded again. The browser doesn't keep files. */
  lostNames: string[]
  /** If `true`, files that the visitor adds replace the current ones. */
  replacesFiles: boolean
  onChange: (files: File[]) => void
  /** Problems with the files that the service reported. */
  problems: string[]
}

/** The files of a request, in the order in which they are sent. Visitors drop them, choose them, or take samples. */
export function FilesPanel({ endpoint, terms, files, lostNames, replacesFiles, onChange, problems }: Props) {
  const [refusals, setRefusals] = useState<string[]>([])
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const headingId = useId()
  const isMany = endpoint.files === 'many'
  const lastSample = useRef(Promise.resolve())
  // A sample that has loaded is added to the files of that moment, not of the click.
  const latestFiles = useRef(files)
  useEffect(() => {
    latestFiles.current = files
  }, [files])
  useDropGuard()

  function add(added: File[], replaces = replacesFiles) {
    let next = isMany && !replaces ? latestFiles.current : []
    const newRefusals: string[] = []
    for (const file of isMany ? added : added.slice(0, 1)) {
      const refusal = findRefusal(file, next, { ...terms, accepted: chooseAccepted(endpoint) })
      if (refusal === undefined) next = [...next, file]
      else newRefusals.push(refusal)
    }
    if (!isMany && added.length > 1)
      newRefusals.push(`This endpoint takes one file. It uses ${added[0]?.name ?? 'the first'}.`)
    setRefusals(newRefusals)
    if (next.length === 0) return
    latestFiles.current = next
    onChange(next)
  }

  /** Adds samples in the order of the clicks, although they load at the same time. */
  function addSample(name: string) {
    const loading = loadSample(name)
    loading.catch(() => {}) // An earlier sample may still be loading.
    lastSample.current = lastSample.current.then(async () => {
      try {
        add([await loading], false)
      } catch {
        setRefusals([`The sample ${name} failed to load. Check your connection and try again.`])
      }
    })
  }

  const { kind, several } = chooseAccepted(endpoint)
  const fileKind = isMany ? several : kind
  return (
    <Panel
      id={headingId}
      title={isMany ? 'Files' : endpoint.files === 'html' ? 'File, instead of url or html' : 'File'}
    >
      <div
        className={isOver ? `${classes.drop} ${classes.over}` : classes.drop}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault()
          setOver(false)
          add([...event.dataTransfer.files])
        }}
      >
        <input
          ref={input}
          type="file"
          hidden
          tabIndex={-1}
          aria-hidden
          data-testid="file-input"
          multiple={isMany}
          accept={listAccepted(endpoint)}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])])
            currentTarget.value = '' // Otherwise, choosing the same file again causes no event.
          }}
        />
        <Button look="secondary" onClick={() => input.current?.click()}>
          Choose {fileKind}
        </Button>
        <span className={classes.soft}>or drop {isMany ? 'them' : 'it'} here</span>
      </div>
      <p className={classes.samples}>
        <span className={classes.soft}>Samples:</span>
        {endpoint.samples.map(name => (
          <button key={name} type="button" className={classes.chip} onClick={() => addSample(name)}>
            {name}
          </button>
        ))}
      </p>
      {lostNames.length > 0 && (
        <p role="status">
          Choose {lostNames.join(', ')} again. Your options are still here, but a browser keeps no files when a page
          reloads.
        </p>
      )}
      {files.length > 0 && <FileRows files={files} onChange={onChange} />}
      <div role="alert" className={classes.alerts}>
        {[...refusals, ...problems].map(sentence => (
          <p key={sentence} className={classes.problem}>
            {sentence}
          </p>
        ))}
      </div>
    </Panel>
  )
}

/** The types that the dialog for files offers. */
function listAccepted({ files, accepts }: PlaygroundEndpoint): string | undefined {
  if (accepts === 'any') return undefined
  if (accepts === 'images') return 'image/jpeg,image/png,image/webp,image/tiff'
  if (accepts === 'pdf-or-xml') return '.pdf,.xml,application/pdf,application/xml,text/xml'
  return files === 'html' ? '.html,.htm,.zip,text/html,application/zip' : '.pdf,application/pdf'
}

/** A file dropped beside the field would replace the page, and all input would be lost. */
function useDropGuard() {
  useEffect(() => {
    const guard = (event: DragEvent) => event.preventDefault()
    window.addEventListener('dragover', guard)
    window.addEventListener('drop', guard)
    return () => {
      window.removeEventListener('dragover', guard)
      window.removeEventListener('drop', guard)
    }
  }, [])
}
