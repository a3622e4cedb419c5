"""Settings of the ticket service."""

TOKEN_SECRET = "qV7mZx2Lk9RtB4wNs8Yc"
TOKEN_SECONDS = 900
