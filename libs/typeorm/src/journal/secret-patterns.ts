/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Keys and tokens that tell by their beginning what they are; a digit keeps ordinary words out. */
const KNOWN_TOKENS = new RegExp(
  '\\b(?:' +
    [
      'sk-(?=[\\w-]{0,200}\\d)[\\w-]{12,}',
      '(?:sk|rk|pk)_(?:live|test)_\\w{8,}',
      'whsec_[\\w+/=]{12,}',
      'gh[oprsu]_[A-Za-z0-9]{16,}',
      'github_pat_\\w{16,}',
      'glpat-[\\w-]{12,}',
      '(?:AKIA|ASIA)[A-Z0-9]{12,}',
      'AIza[\\w-]{20,}',
      'ya29\\.[\\w-]{10,}',
      'xox[abeoprs]-[\\w-]{8,}',
      'npm_[A-Za-z0-9]{20,}',
      'hf_[A-Za-z0-9]{16,}',
      'gsk_[A-Za-z0-9]{16,}',
      'xai-[A-Za-z0-9]{16,}',
      'nvapi-[\\w-]{16,}',
      'pypi-[\\w-]{16,}',
      'dop_v1_[a-f0-9]{16,}',
      'SG\\.[\\w-]{12,}(?:\\.[\\w-]*)?',
      // A JSON web token, or what a cut left of it.
      'eyJ[\\w-]{8,}(?:\\.[\\w-]*){0,2}',
    ].join('|') +
    ')',
  'g',
);

const PEM = /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g;
const BEARER = /\b(bearer\s+)(?=[\w.~+/=-]{0,512}[\d=])[\w.~+/=-]{8,}/gi;
/** Base64 changes between small and capital letters, words do not. */
const BASIC = /\b([Bb]asic\s+)(?=[\w+/]{0,128}[a-z\d+/][A-Z\d=])[\w+/]{8,}={0,2}/g;
const URL_CREDENTIALS = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/@"'<>]{0,256}:[^\s/"'<>]{1,256}@/gi;
/** A name of a secret, then its value: `password: x`, `api_key=x`, `"token":"x"`, and all of it in JSON in JSON. */
const NAMED =
  /(password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie|credentials?|signature|\bsig|\bcvv|\bcvc)(\\{0,16}["']?\s{0,8}[:=]\s{0,8})(?:(\\{0,16}["'])[\s\S]*?(?:(?<!\\)\3|$)|(?:(?:bearer|basic|digest|token)\s+)?[^\s"'\\,;&})[\]{]+)/gi;
const CARD_NUMBER = /(?<!\d)[2-6]\d(?:[ -]?\d){11,17}(?!\d)/g;

/** Takes the secrets out of a text that can be told by their form. Time grows with the text's length only. */
export function redactPatterns(text: string, extra: readonly RegExp[] = []): string {
  let redacted = text
    .replace(PEM, REDACTED)
    .replace(URL_CREDENTIALS, `$1${REDACTED}@`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(BASIC, `$1${REDACTED}`)
    .replace(KNOWN_TOKENS, REDACTED)
    // JSON around a value stays JSON.
    .replace(
      NAMED,
      (_match, name: string, between: string, quote = '') => name + between + quote + REDACTED + quote,
    )
    .replace(CARD_NUMBER, (digits) => (isCardNumber(digits) ? REDACTED : digits));
  for (const pattern of extra) redacted = redacted.replace(pattern, REDACTED);
  return redacted;
}

/** Names of fields whose value is a secret, without case and separators. */
const SECRET_NAME =
  /(?:password|passwd|pwd|passphrase|passcode|secrets?|tokens?|apikeys?|accesskeys?(?:id)?|privatekeys?|authorization|cookies?|credentials?|signature|cvv|cvc|cardnumber|connectionstring|^pin|^pass|^auth)$/;
const AMOUNT = /tokens$/;

/** True for `password`, `X-Api-Key`, `aws_secret_access_key`; not for `maxTokens: 100`. */
export function isSecretName(name: string, value: unknown): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return SECRET_NAME.test(plain) && !(typeof value === 'number' && AMOUNT.test(plain));
}

/** 13 to 19 digits that pass the check every card number passes (Luhn's). */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length < 13 || digits.length > 19) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
