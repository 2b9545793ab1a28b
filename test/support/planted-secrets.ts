/** A repeatable stream of characters: the same secrets in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MIXED = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const next = random(7);

function text(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
}

/** A letter, a capital and a digit for sure, as generators of keys have it. */
const key = (length: number): string => `aK7${text(MIXED, length - 3)}`;

function cardNumber(): string {
  const digits = `4${text('0123456789', 14)}`;
  const last = Array.from('0123456789').find((digit) => {
    const sum = Array.from(digits + digit)
      .toReversed()
      .reduce((total, each, index) => {
        const value = index % 2 === 1 ? Number(each) * 2 : Number(each);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
    return sum % 10 === 0;
  });
  return digits + last;
}

interface PlantedSecret {
  /** What must be found nowhere. */
  readonly secret: string;
  /** A text it stands in. */
  readonly text: string;
}

type Planter = () => PlantedSecret;

const bare =
  (make: () => string): Planter =>
  () => {
    const secret = make();
    return { secret, text: `here it is: ${secret}, keep it` };
  };
const within =
  (make: () => string, wrap: (secret: string) => string): Planter =>
  () => {
    const secret = make();
    return { secret, text: wrap(secret) };
  };
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const PLANTERS: readonly Planter[] = [
  bare(() => `sk-${key(32)}`),
  bare(() => `sk-proj-${key(40)}`),
  bare(() => `sk-ant-api03-${key(40)}`),
  bare(() => `ghp_${text(MIXED, 36)}`),
  bare(() => `github_pat_${text(MIXED, 40)}`),
  bare(() => `glpat-${key(20)}`),
  bare(() => `AKIA${text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`),
  bare(() => `AIza${text(MIXED, 35)}`),
  bare(() => `xoxb-${text('0123456789', 12)}-${text(MIXED, 24)}`),
  bare(() => `sk_live_${text(MIXED, 24)}`),
  bare(() => `npm_${text(MIXED, 36)}`),
  bare(() => `hf_${text(MIXED, 34)}`),
  bare(() => `eyJ${base64({ alg: 'HS256' }).slice(3)}.${base64({ sub: text(LETTERS, 8) })}.${key(43)}`),
  bare(cardNumber),
  within(
    () => cardNumber().replaceAll(/(\d{4})(?=\d)/g, '$1 '),
    (secret) => `paid with ${secret} today`,
  ),
  within(
    () => key(24),
    (secret) => `Authorization: Bearer ${secret}`,
  ),
  within(
    () => Buffer.from(`ann:${key(12)}`).toString('base64'),
    (secret) => `curl -H 'authorization: Basic ${secret}' https://x.example`,
  ),
  within(
    () => key(14),
    (secret) => `connect to postgres://app:${secret}@db.internal:5432/shop now`,
  ),
  within(
    () => text(LETTERS, 12),
    (secret) => `https://api.example/v1?access_token=${secret}&page=2`,
  ),
  within(
    () => text(LETTERS, 10),
    (secret) => JSON.stringify({ user: 'ann', password: secret }),
  ),
  within(
    () => text(LETTERS, 10),
    (secret) => JSON.stringify({ login: { 'X-Api-Key': secret, tries: 1 } }),
  ),
  within(
    () => text(LETTERS, 10),
    (secret) => JSON.stringify({ body: JSON.stringify({ clientSecret: `a "${secret}" b` }) }),
  ),
  within(
    () => text(LETTERS, 10),
    (secret) => `{"broken": true, "db_password": "${secret}", `,
  ),
  within(
    () => text(LETTERS, 10),
    (secret) => `DB_PASSWORD=${secret}\nPORT=1`,
  ),
  within(
    () => key(64),
    (secret) => `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`,
  ),
];

/** Secrets of many kinds, each in a text as tools and models have them. */
export function plantedSecrets(count: number): readonly PlantedSecret[] {
  return Array.from({ length: count }, (_, index) => PLANTERS[index % PLANTERS.length]!());
}
