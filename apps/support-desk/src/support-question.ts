import { BadRequestException } from '@nestjs/common';
import { z } from 'zod';

const questionSchema = z.object({
  message: z.string().trim().min(1).max(4_000),
  /** Questions with the same session belong to one conversation. */
  session: z.string().min(1).max(100).optional(),
});

export type SupportQuestion = z.infer<typeof questionSchema>;

/** @throws BadRequestException that names every field that is wrong. */
export function parseSupportQuestion(body: unknown): SupportQuestion {
  const result = questionSchema.safeParse(body);
  if (result.success) return result.data;
  throw new BadRequestException(
    result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`),
  );
}
