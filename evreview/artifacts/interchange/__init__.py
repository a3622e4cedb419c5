"""What a review hands to other tools: executed checks and findings in their formats. Deterministic and pure."""
