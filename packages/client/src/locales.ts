export { withLocale } from '@quire/contract/locales'
