import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { de } from './de.ts'
import { en, type Words } from './en.ts'

/** The languages of the page, by tag. */
export const languages = { en: 'English', de: 'Deutsch' } as const

type Language = keyof typeof languages

const words: Readonly<Record<Language, Words>> = { en, de }
const setting = 'quire.console.language'

interface Chosen {
  readonly language: Language
  readonly words: Words
  readonly choose: (language: Language) => void
}

const ChosenLanguage = createContext<Chosen>({ language: 'en', words: en, choose: () => undefined })

/** The words of the page in the chosen language, and what chooses it. */
export function useLanguage(): Chosen {
  return useContext(ChosenLanguage)
}

/** The words of the page in the chosen language. */
export function useWords(): Words {
  return useLanguage().words
}

/** Gives the page its language: the chosen one, or the first of the browser's that it has. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(setting, language)
  }, [language])
  const chosen = useMemo(() => ({ language, words: words[language], choose: setLanguage }), [language])
  return (
    <ChosenLanguage value={chosen}>
      <I18nProvider locale={language}>{children}</I18nProvider>
    </ChosenLanguage>
  )
}

function firstLanguage(): Language {
  const tags = [localStorage.getItem(setting) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.split('-', 1).join('')).find(isLanguage) ?? 'en'
}

function isLanguage(tag: string): tag is Language {
  return tag in languages
}
