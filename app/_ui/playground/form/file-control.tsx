'use client'

import { useRef, useState } from 'react'
import { writeSize } from '../../elements/byte-size'
import classes from '../playground.module.css'
import { isJsonObject, type Json } from './field-shapes'
import type { ControlProps } from './text-controls'
import { Button } from '../../elements/button'

/** The API's limit for a file in the options. */
const MOST_BYTES = 10 * 1024 * 1024

/** A control for a small file, which is sent inside the options as base64. */
export function FileControl({ value, onChange, name }: ControlProps) {
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const chosenFile = isJsonObject(value)
    ? { name: textOf(value['name']), base64: textOf(value['dataBase64']) }
    : undefined

  async function choose(file: File | undefined) {
    if (!file) return
    if (file.size > MOST_BYTES)
      return setFailure(`${file.name} must be at most ${writeSize(MOST_BYTES)}. Got ${writeSize(file.size)}.`)
    try {
      onChange({ name: file.name, dataBase64: await readBase64(file) })
      setFailure(null)
    } catch {
      setFailure(`${file.name} isn’t readable. Choose the file again.`)
    }
  }

  return (
    <div className={classes.inlineFile}>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden
        onChange={({ currentTarget }) => void choose(currentTarget.files?.[0]).then(() => (currentTarget.value = ''))}
      />
      <Button
        look="secondary"
        size="small"
        onClick={() => input.current?.click()}
        aria-label={`Choose a file for ${name}`}
      >
        Choose a file
      </Button>
      {chosenFile !== undefined && chosenFile.base64 !== '' && (
        <>
          <span className={classes.fileName}>
            {chosenFile.name} ({writeSize(Math.floor((chosenFile.base64.length * 3) / 4))})
          </span>
          <Button
            look="quiet"
            size="small"
            onClick={() => onChange(undefined)}
            aria-label={`Remove ${chosenFile.name}`}
          >
            Remove
          </Button>
        </>
      )}
      {failure !== null && (
        <p role="alert" className={classes.problem}>
          {failure}
        </p>
      )}
    </div>
  )
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
