'use client'

import { useState } from 'react'
import { SelectField } from '../../elements/field'
import { Panel } from '../../elements/panel'
import type { FileOutcome } from '../request/response-details'
import { FilePreview } from './output-preview'
import classes from '../playground.module.css'

/** The pages of the chosen files. */
export function PagesPanel({ files }: { files: File[] }) {
  if (files.length === 0) return null
  return (
    <Panel id="pages" title="Pages">
      <Versions files={files} />
    </Panel>
  )
}

/** The input and the output side by side. Text and reports have the whole width. */
export function Versions({ files, output }: { files: File[]; output?: FileOutcome }) {
  const [chosenIndex, setChosenIndex] = useState(0)
  const file = files[Math.min(chosenIndex, files.length - 1)]
  const isText = output !== undefined && /^(text\/|application\/(json|xml))/.test(output.contentType)
  const input = isText ? undefined : file
  return (
    <div className={input && output ? classes.sides : undefined}>
      {input && (
        <section aria-label="Input">
          <h3 className={classes.sideTitle}>In</h3>
          {files.length > 1 && (
            <SelectField
              aria-label="Shown file"
              value={String(files.indexOf(input))}
              choices={files.map(({ name }, index) => ({ value: String(index), label: `${index + 1}. ${name}` }))}
              onChange={({ currentTarget }) => setChosenIndex(Number(currentTarget.value))}
            />
          )}
          <FilePreview file={input} name={input.name} contentType={input.type} />
        </section>
      )}
      {output && (
        <section aria-label="Output" data-testid="output">
          <h3 className={classes.sideTitle}>Output</h3>
          <FilePreview file={output.blob} name={output.name} contentType={output.contentType} />
        </section>
      )}
    </div>
  )
}
