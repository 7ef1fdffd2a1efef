'use client'

import { useState } from 'react'
import classes from '../playground.module.css'

/** Longer texts are collapsed after their first sentence. */
const FOLD_FROM = 180

/** The description of a field. Words in backticks are code. A long text starts with its first sentence only. */
export function Hint({ text, of }: { text: string; of: string }) {
  const [isOpen, setOpen] = useState(false)
  const first = text.length > FOLD_FROM ? (/^.{20,}?\.(?= [A-Z`])/.exec(text)?.[0] ?? text) : text
  if (first === text) return <Code text={text} />
  return (
    <>
      <Code text={isOpen ? text : first} />{' '}
      <button
        type="button"
        className={classes.unfold}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Less' : 'More'} about ${of}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'less' : 'more'}
      </button>
    </>
  )
}

/** Plain text, with the words in backticks as code. */
export function Code({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const key = `${index} ${part}`
    return index % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>
  })
}
