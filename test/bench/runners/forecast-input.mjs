import { z } from 'zod';

/** The tools' parameters, as people write them. */
export const forecastInput = z.object({
  city: z.string().describe('Name of the city'),
  unit: z.enum(['c', 'f']).describe('Unit of the temperature'),
  days: z.number().int().describe('Days ahead'),
});
