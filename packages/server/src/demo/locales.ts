import type { Locales } from '@quire/contract'

/** The locales of the magazine. German and Arabic show English where a translation is missing. */
export const demoLocales: Locales = {
  default: 'en',
  list: [
    { code: 'en', name: 'English', direction: 'ltr', fallback: null },
    { code: 'de', name: 'Deutsch', direction: 'ltr', fallback: 'en' },
    { code: 'ar', name: 'العربية', direction: 'rtl', fallback: 'en' },
  ],
}
