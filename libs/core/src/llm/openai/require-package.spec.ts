import { expect, it } from 'vitest';
import { requirePackage } from './require-package.js';

it('names the package that is missing and how to get it', () => {
  expect(() => requirePackage('openai', 'OpenAiProvider')).not.toThrow();
  expect(() => requirePackage('no-such-package-of-ours', 'OpenAiProvider')).toThrow(
    expect.objectContaining({
      code: 'missing_package',
      message:
        'OpenAiProvider needs the package "no-such-package-of-ours". Install it: npm install no-such-package-of-ours',
    }),
  );
});
